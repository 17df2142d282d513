import { hasErrors } from '../../diagnostics/diagnostic.ts'
import { renderText } from '../../diagnostics/render/text.ts'
import { createRedactor, type Redactor } from '../../lib/redaction/redactor.ts'
import { Semaphore } from '../../lib/semaphore.ts'
import { logRecordings } from '../../log/log-recordings.ts'
import type { Host } from '../../model/host.ts'
import type { Result } from '../../model/result.ts'
import type { Suite } from '../../model/suite.ts'
import type { Target } from '../../model/target.ts'
import { defaultTargets } from '../../parse/config.ts'
import { type LoadedTargets, loadTargets } from '../../parse/targets/load-targets.ts'
import { providers } from '../../providers/index.ts'
import { latestRun } from '../../record/find-run.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { RECORD_KEYS } from '../../record/record-keys.ts'
import { createRecordingsReader } from '../../record/recordings.ts'
import { createAskFactory } from '../../run/ask-target.ts'
import { MachineRequestLimits, requestsFolder } from '../../run/policies/machine-request-limits.ts'
import { type Conversation, runConversation } from '../../run/run-conversation.ts'
import { type RunContext, workerLimit } from '../../run/run-plan.ts'
import type { Config } from '../../spec/config.ts'
import { targetTypes } from '../../spec/targets.ts'
import { hasMistakes, nearestConfig } from '../read-config.ts'
import { targetsFileHere } from '../targets-file-here.ts'
import { warningText } from '../terminal/progress.ts'
import { paletteFor, shownPath, terminal } from '../terminal/terminal.ts'
import { expectationHere, suiteHere, testHere } from './suite-here.ts'
import { targetFacts } from './target-facts.ts'

export interface AskingOptions {
  readonly target?: string
  /** The target that judges. */
  readonly judge?: string
  /** The targets file. */
  readonly targets?: string
}

type Talk = Omit<Conversation, 'suite' | 'target' | 'turns'> & {
  readonly turns: readonly { readonly input: string; readonly expected?: string | undefined }[]
}

/** Somebody to talk to. */
export interface Asker {
  /** How many conversations may run at once. */
  workers(given: number | undefined): number
  /** What is known of the target, for logs. */
  readonly facts: readonly Record<string, unknown>[]
  /** The records of the turns as they come, without secrets. Throws `NotRun` where it was stopped. */
  talk(talk: Talk): AsyncGenerator<Result>
}

/** The target that the user names, with its judge where answers are judged; undefined after mistakes, which are said. */
export async function findAsker(
  options: AskingOptions & { readonly isJudged: boolean },
  abort: AbortController,
  host: Host,
): Promise<Asker | undefined> {
  const file = await targetsFileHere(options.targets, host)
  if (file === undefined) return undefined
  const config = await nearestConfig(host)
  if (hasMistakes(config)) return undefined
  const suite = suiteHere(host)
  const test = testHere(suite, options.isJudged ? [expectationHere(suite)] : [])
  const loaded = await loadTargets([{ suite, tests: [test] }], {
    host,
    types: targetTypes(providers),
    file,
    names: options.target === undefined ? undefined : [options.target],
    judge: options.judge,
    defaults: { ...defaultTargets(config.config), at: config.at },
  })
  const secrets = createRedactor(loaded.secrets, RECORD_KEYS)
  terminal.redact = secrets.text
  for (const each of loaded.diagnostics)
    terminal.err(`${renderText(each, shownPath(each.file), paletteFor(process.stderr))}\n`)
  const [target] = loaded.of(suite, test)
  if (!target || hasErrors(loaded.diagnostics)) return undefined
  const context = await contextFor(loaded, config.config, abort, host)
  return askerOf(target, suite, context, secrets)
}

function askerOf(target: Target, suite: Suite, context: RunContext, { json }: Redactor): Asker {
  const asks = createAskFactory(context)
  const clean = <Value>(value: Value): Value => JSON.parse(json(value))
  return {
    workers: given => workerLimit(target, given ?? context.workers, context.host),
    facts: [clean(targetFacts(target))],
    async *talk({ turns, ...talk }) {
      const checked = turns.map(({ input, expected }) =>
        expected === undefined ? { input, checks: [] } : { input, expected, checks: [expectationHere(suite)] },
      )
      for await (const result of runConversation({ ...talk, suite, target, turns: checked }, asks, context)) {
        yield clean(result)
        if (result.workspace_path !== undefined)
          await context.host.files.removeTemporaryFolder(result.workspace_path).catch(() => {})
      }
    },
  }
}

async function contextFor(
  loaded: LoadedTargets,
  { workers, timeout_seconds }: Config,
  abort: AbortController,
  host: Host,
): Promise<RunContext> {
  const { runs_folder, settings_folder } = await findProjectFolders(undefined, host)
  // One that cannot be read is missed by whoever replays it.
  const latest = await latestRun(runs_folder, host).catch(() => undefined)
  const palette = paletteFor(process.stderr)
  return {
    host,
    run_id: '',
    hashes: new Map(),
    judgeOf: loaded.judgeOf,
    recordedPath: file => file,
    workers,
    timeout_seconds,
    answers: { get: () => undefined, add: (_, answer) => answer },
    requests: new MachineRequestLimits(requestsFolder(settings_folder), host),
    cache: undefined,
    budgetsOf: () => [],
    recordings: createRecordingsReader(runs_folder, latest, logRecordings, host),
    notify: event => {
      if (event.type === 'warning') terminal.err(`${warningText(event.message, palette)}\n`)
      if (event.type === 'waiting') terminal.err(`${warningText(`waiting: ${event.reason}`, palette)}\n`)
    },
    stop: abort.signal,
    abort,
    turns: new Semaphore(2 * host.cores),
  }
}
