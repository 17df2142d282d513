import { join } from 'node:path'
import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { expectation } from '../evaluators/shared/model-judges/expectation.ts'
import { createRedactor, type Redactor } from '../lib/redaction/redactor.ts'
import type { RunEvent } from '../model/attempt.ts'
import { Check, type CheckSettings } from '../model/check.ts'
import type { Host } from '../model/host.ts'
import type { Origin } from '../model/location.ts'
import type { Result } from '../model/result.ts'
import type { Suite } from '../model/suite.ts'
import type { Target } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import { defaultTargets } from '../parse/config.ts'
import { loadTargets } from '../parse/targets/load-targets.ts'
import { providers } from '../providers/index.ts'
import { latestRun } from '../record/find-run.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { RECORD_KEYS } from '../record/record-keys.ts'
import { NotRun } from '../run/ask.ts'
import { createAskFactory } from '../run/ask-target.ts'
import { runConversation } from '../run/run-conversation.ts'
import { type RunContext, workerLimit } from '../run/run-plan.ts'
import { targetTypes } from '../spec/targets.ts'
import { loadNearestConfig } from './config.ts'
import { targetFacts } from './logs/run-log.ts'
import { type RunParts, runContext } from './run/run-context.ts'
import { requireTargetsFile } from './targets-file.ts'

export interface ConverseOptions {
  /** Name of the target that answers. Default: `default`. */
  readonly target?: string | undefined
  /** Name of the target that judges. */
  readonly judge?: string | undefined
  readonly targets_file?: string | undefined
  /** Whether answers are held against expectations, so that a judge may be needed. */
  readonly is_judged?: boolean | undefined
  onEvent?(event: RunEvent): void
}

/** What a user says, one turn after another. */
export interface Conversation {
  readonly id: string
  /** The system message, where the target has none. */
  readonly system_prompt: string
  readonly turns: readonly { readonly input: string; readonly expected?: string | undefined }[]
}

/** A loaded target, ready for conversations. */
export interface ConversationTarget {
  /** What logs say about it. */
  readonly facts: readonly Record<string, unknown>[]
  /** How many conversations may run at once. */
  workers(given: number | undefined): number
  /** Yields the record of each turn, redacted. Ends early where no answer comes, or after `stop`. */
  converse(conversation: Conversation): AsyncGenerator<Result>
  /** Ends conversations. */
  stop(): void
  readonly is_stopped: boolean
}

export interface LoadedTarget {
  readonly diagnostics: readonly Diagnostic[]
  readonly redactor: Redactor
  /** Undefined where the diagnostics have an error. */
  readonly target: ConversationTarget | undefined
}

/** Loads the target that a conversation is with, and its judge. */
export async function loadConversationTarget(options: ConverseOptions, host: Host): Promise<LoadedTarget> {
  const file = await requireTargetsFile(options.targets_file, host)
  const { config, at } = await loadNearestConfig(host)
  const suite = currentFolderSuite(host)
  const test = turnTest(suite, options.is_judged ? [expectationCheck(suite)] : [])
  const loaded = await loadTargets([{ suite, tests: [test] }], {
    host,
    types: targetTypes(providers),
    file,
    names: options.target === undefined ? undefined : [options.target],
    judge: options.judge,
    defaults: { ...defaultTargets(config), at },
  })
  const { diagnostics } = loaded
  const secrets = createRedactor(loaded.secrets, RECORD_KEYS)
  const [arm] = loaded.armsOf(suite, test)
  const target = arm?.target
  if (!target || hasErrors(diagnostics)) return { diagnostics, redactor: secrets, target: undefined }
  const abort = host.clock.createAbortController()
  const { workers, timeout_seconds } = config
  const notify = (event: RunEvent) => options.onEvent?.(event)
  const parts = { judgeOf: loaded.judgeOf, workers, timeout_seconds, notify, abort }
  const context = await conversationContext(parts, host)
  return { diagnostics, redactor: secrets, target: conversationTarget(target, suite, context, abort, secrets) }
}

function conversationTarget(
  target: Target,
  suite: Suite,
  context: RunContext,
  abort: AbortController,
  { json }: Redactor,
): ConversationTarget {
  const asks = createAskFactory(context)
  const redacted = <Value>(value: Value): Value => JSON.parse(json(value))
  return {
    facts: [redacted(targetFacts(target))],
    workers: given => workerLimit(target, given ?? context.workers, context.host),
    async *converse({ turns, ...conversation }) {
      const checked = turns.map(({ input, expected }) =>
        expected === undefined ? { input, checks: [] } : { input, expected, checks: [expectationCheck(suite)] },
      )
      try {
        for await (const result of runConversation({ ...conversation, suite, target, turns: checked }, asks, context)) {
          yield redacted(result)
          if (result.workspace_path !== undefined)
            await context.host.files.removeTemporaryFolder(result.workspace_path).catch(() => {})
        }
      } catch (error) {
        if (!(error instanceof NotRun)) throw error
      }
    },
    stop: () => abort.abort(new NotRun('stopped')),
    get is_stopped() {
      return abort.signal.aborted
    },
  }
}

type ConversationParts = Pick<RunParts, 'judgeOf' | 'workers' | 'timeout_seconds' | 'notify'> & {
  readonly abort: AbortController
}

async function conversationContext(parts: ConversationParts, host: Host): Promise<RunContext> {
  const folders = await findProjectFolders(undefined, host)
  // A run that cannot be read is reported by the provider that replays it.
  const previous = await latestRun(folders.runs_folder, host).catch(() => undefined)
  const unused = {
    run_id: '',
    hashes: new Map(),
    answers: { get: () => undefined, add: (_: unknown, answer: Parameters<RunContext['answers']['add']>[1]) => answer },
    budgetsOf: () => [],
    stop: parts.abort.signal,
  }
  const context = runContext({ folders, previous, toJson: JSON.stringify }, { ...unused, ...parts }, host)
  return { ...context, recordedPath: file => file }
}

/** The current folder as a suite: targets are searched from there, and programs run in it. */
export function currentFolderSuite(host: Host): Suite {
  const file = join(host.cwd, 'log')
  const at: Origin = {
    file,
    child: () => at,
    location: () => ({ file, line: 1, column: 1, length: 1 }),
    line: () => 1,
    written: () => undefined,
  }
  const empty = { description: undefined, metadata: {}, tags: [], execution: {}, tests: [] }
  return { name: 'log', version: '1.0', file, at, ...empty }
}

/** A test like those of the turns, by which the targets they need are found. */
export function turnTest({ at }: Suite, checks: readonly Check[]): Test {
  const empty = { number: undefined, input: [], expected_output: '', execution: {}, metadata: {}, tags: [] }
  return { id: 'log', checks, at, ...empty }
}

/** The check of a turn with an expected answer. */
function expectationCheck({ at }: Suite): Check {
  const settings: CheckSettings = {
    evaluator: expectation,
    type: expectation.type,
    name: expectation.type,
    written_name: undefined,
    weight: 1,
    required: undefined,
    negate: false,
    applies_to: undefined,
    description: undefined,
    config: {},
    files: new Map(),
  }
  return new Check(settings, at)
}
