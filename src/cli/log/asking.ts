import { join, resolve } from 'node:path'
import { hasErrors } from '../../diagnostics/diagnostic.ts'
import { renderText } from '../../diagnostics/render/text.ts'
import type { Check } from '../../evaluators/evaluator.ts'
import { type Redactor, redactor } from '../../lib/redactor.ts'
import { Turns } from '../../lib/turns.ts'
import { logRecordings } from '../../log/log-recordings.ts'
import type { Host } from '../../model/host.ts'
import type { Origin } from '../../model/place.ts'
import type { Result } from '../../model/result.ts'
import { defaultNames } from '../../parse/default-names.ts'
import { Files } from '../../parse/files.ts'
import { findTargetsFile } from '../../parse/find-targets.ts'
import { type LoadedTargets, loadTargets } from '../../parse/load-targets.ts'
import { Mistakes } from '../../parse/mistakes.ts'
import { providers } from '../../providers/index.ts'
import { latestRun } from '../../record/find-run.ts'
import { recordingsOf } from '../../record/recordings-of.ts'
import { runPlace } from '../../record/run-place.ts'
import { asksThroughPolicies } from '../../run/ask-target.ts'
import { type Conversation, runConversation } from '../../run/run-conversation.ts'
import type { RunContext } from '../../run/run-plan.ts'
import { workersOf } from '../../run/workers-of.ts'
import type { Config } from '../../spec/config.ts'
import type { Suite } from '../../spec/suite.ts'
import { type Target, targetTypes } from '../../spec/targets.ts'
import { hasMistakes, nearestConfig } from '../read-config.ts'
import { NO_TARGETS_FILE } from '../terminal/no-targets-file.ts'
import { warningText } from '../terminal/progress.ts'
import { paletteFor, shownPath, terminal } from '../terminal/terminal.ts'
import { expectation } from './expectation.ts'
import { targetFacts } from './target-facts.ts'

export interface AskingOptions {
  readonly target?: string
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

/** The target that the user names, with its judge; undefined after mistakes, which are said. */
export async function findAsker(
  options: AskingOptions,
  abort: AbortController,
  host: Host,
): Promise<Asker | undefined> {
  const file = await targetsFile(options.targets, host)
  if (file === undefined) {
    terminal.err(NO_TARGETS_FILE)
    return undefined
  }
  const config = await nearestConfig(host)
  if (hasMistakes(config)) return undefined
  const suite = suiteHere(host)
  const loaded = await loadTargets([{ suite, tests: [testOf(suite)] }], {
    host,
    types: targetTypes(providers),
    file,
    names: options.target === undefined ? undefined : [options.target],
    judge: options.judge,
    defaults: { ...defaultNames(config.config), at: config.at },
  })
  const secrets = redactor(loaded.secrets)
  terminal.redact = secrets.text
  for (const each of loaded.diagnostics)
    terminal.err(`${renderText(each, shownPath(each.file), paletteFor(process.stderr))}\n`)
  const [target] = loaded.of(suite, testOf(suite))
  if (!target || hasErrors(loaded.diagnostics)) return undefined
  const context = await contextFor(loaded, config.config, abort, host)
  return askerOf(target, suite, context, secrets)
}

async function targetsFile(named: string | undefined, host: Host): Promise<string | undefined> {
  if (named !== undefined) return resolve(host.cwd, named)
  return findTargetsFile(host.cwd, new Files(host, new Mistakes()))
}

function askerOf(target: Target, suite: Suite, context: RunContext, { json }: Redactor): Asker {
  const asks = asksThroughPolicies(context)
  const clean = <Value>(value: Value): Value => JSON.parse(json(value))
  return {
    workers: given => workersOf(target, given ?? context.workers, context.host),
    facts: [clean(targetFacts(target))],
    async *talk({ turns, ...talk }) {
      const checked = turns.map(({ input, expected }) =>
        expected === undefined ? { input, checks: [] } : { input, expected, checks: [checkOf(suite, expected)] },
      )
      for await (const result of runConversation({ ...talk, suite, target, turns: checked }, asks, context)) {
        yield clean(result)
        if (result.workspace_path !== undefined) await context.host.removeTemporary(result.workspace_path)
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
  const { runs_folder } = await runPlace(undefined, host)
  const palette = paletteFor(process.stderr)
  return {
    host,
    run_id: '',
    hashes: new Map(),
    judgeOf: loaded.judgeOf,
    recordedPath: file => file,
    workers,
    timeout_seconds,
    answers: { get: () => undefined, add: () => {} },
    cache: undefined,
    budgetsOf: () => [],
    recordings: recordingsOf(runs_folder, await latestRun(runs_folder, host), logRecordings, host),
    notify: event => {
      if (event.type === 'warning') terminal.err(`${warningText(event.message, palette)}\n`)
      if (event.type === 'waiting') terminal.err(`${warningText(`waiting: ${event.reason}`, palette)}\n`)
    },
    stop: abort.signal,
    abort,
    turns: new Turns(2 * host.cores),
  }
}

/** The current folder as a suite: from there targets are found, and there programs run. */
function suiteHere(host: Host): Suite {
  const file = join(host.cwd, 'log')
  const at: Origin = {
    file,
    child: () => at,
    place: () => ({ file, line: 1, column: 1, length: 1 }),
    line: () => 1,
    written: () => undefined,
  }
  const empty = { description: undefined, metadata: {}, tags: [], execution: {}, tests: [] }
  return { name: 'log', version: '1.0', file, at, ...empty }
}

/** A test such as all turns are, so that their judge is found. */
function testOf(suite: Suite) {
  const { at } = suite
  const checks = [checkOf(suite, '')]
  return {
    id: 'log',
    number: undefined,
    input: [],
    expected_output: '',
    checks,
    execution: {},
    metadata: {},
    tags: [],
    at,
  }
}

function checkOf({ at }: Suite, expected: string): Check {
  return {
    evaluator: expectation,
    type: expectation.type,
    name: expectation.type,
    written_name: undefined,
    weight: 1,
    required: undefined,
    negate: false,
    description: undefined,
    config: { expected },
    files: new Map(),
    at,
  }
}
