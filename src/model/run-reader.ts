import { compositeKey, InternPool } from '../lib/collections.ts'
import { totalTokens } from './answer.ts'
import { type EvaluatorResult, type Result, type Trigger, triggersIn } from './result.ts'
import type { RunInfo } from './run-info.ts'
import { missesRequired } from './verdict.ts'

/** What summaries need of a result: kept in memory for every attempt, so it is little. */
export interface ResultFacts
  extends Pick<
    Result,
    | 'attempt_id'
    | 'test_hash'
    | 'target_hash'
    | 'trial'
    | 'rerun'
    | 'added'
    | 'suite'
    | 'file'
    | 'test_id'
    | 'target'
    | 'verdict'
    | 'score'
    | 'cost_usd'
    | 'failed_calls'
    | 'duration_ms'
    | 'trigger_threshold'
  > {
  /** Tests that share one stand or fall together; undefined for one that stands alone. */
  readonly cluster: string | undefined
  /** Input and output together, where both are known. */
  readonly tokens: number | undefined
  readonly judge_calls: number
  readonly judge_cost_usd: number | undefined
  /** Whether a required check was missed. */
  readonly misses_required: boolean
  /** Whether a bug of ours ended it. */
  readonly is_bug: boolean
  /** An error that says nothing of the agent: made again, the attempt is replaced. */
  readonly is_replaceable: boolean
  readonly has_answer: boolean
  /** Whether the answer was taken from the cache. */
  readonly is_cached: boolean
  /** What its checks found about the use of skills; undefined where none is about that. */
  readonly triggers: readonly Trigger[] | undefined
}

/** Each record brings its own copies of what many have in common; `shared` are those that are kept. */
export function factsOf(result: Result, shared = new InternPool()): ResultFacts {
  const { attempt_id, test_id, verdict, score, cost_usd, judge_usage, evaluator_results: checks } = result
  const triggers = triggersIn(checks)
  return {
    attempt_id,
    test_hash: result.test_hash,
    target_hash: result.target_hash && shared.text(result.target_hash),
    trial: result.trial,
    rerun: result.rerun,
    added: result.added,
    suite: shared.text(result.suite),
    file: shared.text(result.file),
    test_id,
    target: shared.text(result.target),
    verdict,
    score,
    cost_usd,
    failed_calls: result.failed_calls,
    duration_ms: result.duration_ms,
    trigger_threshold: result.trigger_threshold,
    cluster: clusterOf(result, shared),
    tokens: totalTokens(result.token_usage),
    judge_calls: judge_usage?.calls ?? 0,
    judge_cost_usd: judge_usage?.cost_usd,
    misses_required: checks.some(missesRequired),
    is_bug: result.error?.code === 'bug' || checks.some(isBug),
    is_replaceable: result.error?.stage === 'grade' || result.error?.never_reached === true,
    has_answer: result.answer !== null,
    is_cached: result.cached === true,
    triggers: triggers && shared.value(triggers),
  }
}

/** Tests of one conversation, or with one `cluster` in their metadata, are no independent evidence. */
function clusterOf({ suite, conversation_id, metadata }: Result, shared: InternPool): string | undefined {
  const { cluster } = metadata
  const own = typeof cluster === 'string' || typeof cluster === 'number' ? `cluster ${cluster}` : conversation_id
  return own === undefined ? undefined : shared.text(`${suite} ${own}`)
}

function isBug({ error, evaluator_results: inside }: EvaluatorResult): boolean {
  return error?.code === 'bug' || (inside?.some(isBug) ?? false)
}

/** The same for all trials of a test on a target. */
export function testKey(test: Pick<ResultFacts, 'test_id' | 'target' | 'suite' | 'file'>): string {
  const { test_id, target, suite, file } = test
  return compositeKey(test_id, target, suite, file)
}

/** The records of a run, as reports read them: the newest result of each planned attempt, in the order of the plan. */
export interface RunReader {
  /** Undefined where there is only a file of results. */
  readonly info: RunInfo | undefined
  /** How many attempts were planned. */
  readonly planned: number
  /** How many tests on targets were planned. */
  readonly planned_tests: number
  /** Without `info`: which part of the suites the results are, where they say it. */
  readonly part?: string | undefined
  /** How many lines of its file cannot be read, and are left out. */
  readonly damaged?: number | undefined
  facts(): Iterable<ResultFacts>
  /** The whole result of an attempt. */
  result(attemptId: string): Result | undefined
  results(): Iterable<Result>
}
