import { dirname, relative, resolve, sep } from 'node:path'
import { isMapping } from '../../lib/objects.ts'
import { SUITE_FOLDER_VARIABLE } from '../../model/commands.ts'
import type { RawSuite } from '../suite/raw-suite.ts'

type Fields = Readonly<Record<string, unknown>>

/** Plugin evals as the fields of an EVAL.yaml, and the targets that they bring. */
export interface RebasedEvals {
  readonly suite: Fields
  readonly tests: readonly Fields[]
  readonly targets: readonly Fields[]
}

/** Rewrites the paths of plugin evals for a suite in another file. */
export function rebasePluginEvals(to: string, { file, raw, at, lines = [], targets = [] }: RawSuite): RebasedEvals {
  const rebase = (from: string) => (path: string) =>
    relative(dirname(to), resolve(from, path)).split(sep).join('/') || '.'
  const fromPlugin = rebase(dirname(file))
  return {
    suite: withMocks(raw, rebase(dirname(at.file))),
    tests: [...lines].map(test => {
      const fields = withMocks(test.raw as Fields, rebase(dirname(test.at.file)))
      return isMapping(fields['execution'])
        ? { ...fields, execution: rebaseExecution(fields['execution'], fromPlugin) }
        : fields
    }),
    targets: targets.map(target => withFolders(target, fromPlugin)),
  }
}

type Rebase = (path: string) => string

function withMocks(fields: Fields, rebase: Rebase): Fields {
  return typeof fields['mocks'] === 'string' ? { ...fields, mocks: rebase(fields['mocks']) } : fields
}

function rebaseExecution({ setup, agent, ...execution }: Fields, rebase: Rebase): Fields {
  return {
    ...execution,
    ...(typeof setup === 'string' ? { setup: rebaseScript(setup, rebase) } : {}),
    ...(isMapping(agent) ? { agent: withFolders(agent, rebase) } : {}),
  }
}

function withFolders(fields: Fields, rebase: Rebase): Fields {
  const lists = ['plugins', 'add_dirs'].flatMap(key =>
    Array.isArray(fields[key]) ? [[key, fields[key].map(rebase)]] : [],
  )
  return { ...fields, ...Object.fromEntries(lists) }
}

const SCRIPT = new RegExp(`(?<="\\$${SUITE_FOLDER_VARIABLE}"/)'((?:[^']|'\\\\'')*)'`)

/** Rewrites the path in the command of a scaffold script, which starts at the folder of the suite. */
function rebaseScript(command: string, rebase: Rebase): string {
  return command.replace(SCRIPT, (_, quoted: string) => {
    const path = rebase(quoted.replaceAll("'\\''", "'"))
    return `'${path.replaceAll("'", "'\\''")}'`
  })
}
