import { basename } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { UserError } from '../../model/user-error.ts'
import type { ImportFormat } from '../format.ts'
import { convertMatrix } from '../matrix/convert-matrix.ts'
import type { MatrixDialect } from '../matrix/dialect.ts'

/** Keys that promptfoo has, and AgentV does not. */
const OWN_KEYS = ['defaultTest', 'evaluateOptions', 'redteam', 'commandLineOptions', 'sharing', 'outputPath']

export const promptfoo: ImportFormat = {
  name: 'promptfoo',
  title: 'a promptfoo configuration',
  isCandidate: name => /promptfooconfig[^/]*\.(?:ya?ml|json|[cm]?[jt]s)$/i.test(name),
  recognise: ({ file, document }) => {
    if (/promptfooconfig[^/]*\.[cm]?[jt]s$/i.test(file)) return true
    const value = document?.value
    if (!isMapping(value)) return false
    const hasPrompts = 'prompts' in value || 'scenarios' in value
    const hasProviders = 'providers' in value || 'targets' in value
    return OWN_KEYS.some(key => key in value) || (hasPrompts && hasProviders && !('name' in value))
  },
  convert: async ({ file, document }, context) => {
    if (!document)
      throw new UserError(
        `${basename(file)} is a program, which is not run.`,
        'Export it first: promptfoo eval -c FILE --no-write -o results.json has the configuration under `config`. Save it as promptfooconfig.json.',
      )
    return { suites: [await convertMatrix(document, PROMPTFOO, context)] }
  },
}

const PROMPTFOO: MatrixDialect = {
  knownKeys: [
    ...['description', 'prompts', 'providers', 'targets', 'tests', 'scenarios', 'defaultTest', 'evaluateOptions'],
    'assertionTemplates',
    // About storing and showing results.
    ...['outputPath', 'sharing', 'writeLatestResults', 'tags', 'commandLineOptions', 'metadata'],
  ],
  knownTestKeys: ['id', 'description', 'vars', 'assert', 'threshold', 'metadata', 'options', 'prompts', 'providers'],
  defaults: config => config.get('defaultTest'),
  everyAssertionCounts: true,
  expandsLists: true,
}
