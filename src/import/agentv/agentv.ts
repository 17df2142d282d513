import { isMapping } from '../../lib/objects.ts'
import { UserError } from '../../model/user-error.ts'
import type { Fields } from '../fields.ts'
import type { ImportContext, ImportFormat } from '../format.ts'
import { convertMatrix } from '../matrix/convert-matrix.ts'
import type { MatrixDialect } from '../matrix/dialect.ts'
import { literal } from '../matrix/fill-variables.ts'
import type { Vars } from '../matrix/template.ts'
import { convertChat, looksLikeChat } from '../messages.ts'
import type { Written } from '../written.ts'
import { agentvCheck } from './checks.ts'
import { convertInputs, hasInputs } from './march.ts'
import { rebasedFile } from './march-test.ts'
import { namedTargets } from './targets.ts'

export const agentv: ImportFormat = {
  name: 'agentv',
  title: 'a suite of AgentV',
  isCandidate: name => /\.ya?ml$/i.test(name) && !/^(?:targets|providers|config)\.ya?ml$/i.test(name),
  recognise: ({ document }) => {
    const value = document?.value
    return isMapping(value) && (hasInputs(value) || (isMapping(value) && 'prompts' in value && 'tests' in value))
  },
  convert: async ({ document }, context) => {
    if (!document) throw new UserError('A suite of AgentV is a YAML file.')
    const isOld = hasInputs(document.value)
    return { suites: [isOld ? await convertInputs(document, context) : await convertMatrix(document, AGENTV, context)] }
  },
}

const AGENTV: MatrixDialect = {
  knownKeys: [
    ...[
      'name',
      'description',
      'version',
      'prompts',
      'providers',
      'tests',
      'scenarios',
      'default_test',
      'evaluate_options',
    ],
    ...['assert', 'tags', 'threshold', 'metadata', 'governance'],
  ],
  knownTestKeys: [
    'id',
    'description',
    'vars',
    'assert',
    'threshold',
    'metadata',
    'options',
    'prompts',
    'criteria',
    'conversation_id',
  ],
  defaults: config => config.get('default_test') ?? (config.get('assert') ? config : undefined),
  everyAssertionCounts: false,
  expandsLists: false,
  assertion: agentvCheck,
  targets: async (config, context) => {
    const targets = await namedTargets(config.get('providers')?.list() ?? [], config.at.file, context)
    return targets.map(fields => ({ name: String(fields['name']), fields, labels: [String(fields['name'])] }))
  },
  filePath: (file, written, context) => rebasedFile(file, written, context),
  testFields,
  suiteFields: config => {
    const tags = config
      .get('tags')
      ?.list()
      .flatMap(item => item.text() ?? [])
    return tags && tags.length > 0 ? { metadata: { tags } } : {}
  },
}

/** The expected output is a variable; criteria are a key of the test. */
function testFields(written: Written, vars: Vars, context: ImportContext): Fields {
  const { expected_output: expected } = vars
  const criteria = written.get('criteria')?.text()
  const id = written.get('conversation_id')?.text()
  const chat = looksLikeChat(expected) ? convertChat(expected, file => rebasedFile(file, written, context)) : undefined
  return {
    ...(criteria === undefined ? {} : { criteria: literal(criteria) }),
    ...(expected === undefined || expected === null ? {} : { expected_output: literal(chat ?? expected) }),
    ...(id === undefined ? {} : { conversation_id: id }),
  }
}
