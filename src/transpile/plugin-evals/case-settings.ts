import { dirname, join, relative, resolve, sep } from 'node:path'
import { withoutNullish } from '../../lib/objects.ts'
import { isBelow } from '../../lib/paths.ts'
import type { AgentSettings } from '../../model/agent-settings.ts'
import { messageText } from '../../model/message.ts'
import type { Test } from '../../model/test.ts'
import type { CaseContext } from './case-context.ts'

/** The keys of a prompt.md and of `context` in a case.yaml. */
interface CaseSettings {
  readonly keys: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  readonly lost: readonly string[]
}

const MOST_RUNS = 50
const MOST_TURNS = 200
/** The time limit without a word, there and here. */
const DEFAULT_SECONDS = 300

/** The settings of a test and its suite as those of a case. */
export function caseSettings(test: Test, name: string, context: CaseContext): CaseSettings {
  const { execution } = context.suite
  const { trials = 1, timeout_seconds: seconds } = { ...execution, ...test.execution }
  const agent: AgentSettings = { ...execution.agent, ...test.execution.agent }
  const folders = foldersOf(agent, name, context)
  const env = Object.entries(agent.env ?? {}).filter(([key]) => /^EVAL_\w+$/.test(key))
  return {
    keys: withoutNullish({
      name: test.id === name ? undefined : test.id,
      description: test.description,
      expected_outcome: test.criteria,
      tags: test.tags.length === 0 ? undefined : [...test.tags],
      runs: Math.min(trials, MOST_RUNS),
      timeout_seconds: seconds === undefined || seconds === DEFAULT_SECONDS ? undefined : Math.ceil(seconds),
      model: agent.model,
      max_turns: agent.max_turns && Math.min(agent.max_turns, MOST_TURNS),
      append_system_prompt: systemOf(test),
      allowed_tools: agent.allowed_tools,
      disallowed_tools: agent.disallowed_tools,
      plugins: folders.plugins.length === 0 ? undefined : folders.plugins,
      env: env.length === 0 ? undefined : Object.fromEntries(env),
    }),
    context: folders.add_dirs.length === 0 ? {} : { add_dirs: folders.add_dirs },
    lost: [
      ...(trials > MOST_RUNS ? [`more than ${MOST_RUNS} trials`] : []),
      ...(Number.isInteger(seconds ?? 0) ? [] : ['parts of a second in the timeout']),
      ...((agent.max_turns ?? 0) > MOST_TURNS ? [`more than ${MOST_TURNS} turns`] : []),
      ...(env.length < Object.keys(agent.env ?? {}).length ? ['variables with names other than `EVAL_…`'] : []),
      ...folders.lost,
    ],
  }
}

/** The system messages, as a text. */
function systemOf({ input }: Test): string | undefined {
  const texts = input.filter(({ role }) => role === 'system').map(messageText)
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

/** Paths from the folder of the case. Folders elsewhere are not allowed there. */
function foldersOf({ plugins = [], add_dirs = [] }: AgentSettings, name: string, { suite, folder }: CaseContext) {
  const own = join(folder, name)
  const from = (path: string) => relative(own, path).split(sep).join('/') || '.'
  const absolute = (paths: readonly string[]) => paths.map(path => resolve(dirname(suite.file), path))
  const [wanted, dirs] = [absolute(plugins), absolute(add_dirs)]
  const inPlugin = wanted.filter(path => isBelow(path, dirname(folder)))
  const inCase = dirs.filter(path => isBelow(path, own))
  return {
    plugins: inPlugin.map(from),
    add_dirs: inCase.map(from),
    lost: [
      ...(inPlugin.length < wanted.length ? ['plugins outside of the folder above the evals'] : []),
      ...(inCase.length < dirs.length ? ['`add_dirs` outside of the folder of the case'] : []),
    ],
  }
}
