import { compositeKey, InternPool } from '../lib/collections.ts'
import { millisecondsOf } from '../lib/dates.ts'
import { addDefined } from '../lib/objects.ts'
import { totalTokens } from './answer.ts'
import type { ControlOf } from './attempt.ts'
import { type EvaluatorResult, type Trigger, triggersIn } from './evaluator-result.ts'
import { type Mark, recordedMark } from './mark.ts'
import { type PairComparison, pairsIn } from './pair.ts'
import { panelVerdicts } from './panel.ts'
import type { Result } from './result.ts'
import type { RunInfo } from './run-info.ts'
import { checkFacts, type GradedFacts } from './shared-checks.ts'
import { missesRequired } from './verdict.ts'

/** The part of a result that stays in memory for every attempt. */
export interface ResultFacts
  extends GradedFacts,
    Pick<
      Result,
      | 'attempt_id'
      | 'test_hash'
      | 'shared_hash'
      | 'target_hash'
      | 'judges_hash'
      | 'trial'
      | 'rerun'
      | 'added'
      | 'suite'
      | 'file'
      | 'line'
      | 'test_id'
      | 'target'
      | 'cost_usd'
      | 'failed_calls'
      | 'duration_ms'
      | 'trigger_threshold'
    > {
  readonly tags: readonly string[]
  /** Start and end in milliseconds since 1970, if they are known. */
  readonly started_ms: number | undefined
  readonly ended_ms: number | undefined
  /** Tests of one cluster are not independent; undefined for an independent test. */
  readonly cluster: string | undefined
  /** Input plus output, if both are known. */
  readonly tokens: number | undefined
  readonly judge_calls: number
  readonly judge_cost_usd: number | undefined
  /** Whether a bug in Assay ended the attempt. */
  readonly is_bug: boolean
  /** Whether the error says nothing about the agent: a rerun replaces the attempt. */
  readonly is_replaceable: boolean
  readonly has_answer: boolean
  /** Whether the answer came from the cache. */
  readonly is_cached: boolean
  /** Whether the target is the control arm. */
  readonly is_control: boolean
  /** Names of its checks that do not apply to the target; undefined if all apply. */
  readonly not_applicable: readonly string[] | undefined
  /** The only targets that a control arm is compared with; undefined: all others. */
  readonly control_of: ControlOf | undefined
  /** The triggers of its checks; undefined if no check is about a skill. */
  readonly triggers: readonly Trigger[] | undefined
  /** The comparisons of its answer with others; undefined if no check has compared. */
  readonly pairs: readonly PairComparison[] | undefined
  /** The mark of the test. */
  readonly mark: Mark | undefined
}

/** The facts of a result; `shared` keeps one copy of equal values. */
export function factsOf(result: Result, shared = new InternPool()): ResultFacts {
  const { attempt_id, test_id, verdict, score, cost_usd, judge_usage, evaluator_results: checks } = result
  const { duration_ms, elapsed_ms = duration_ms } = result
  const started_ms = millisecondsOf(result.timestamp)
  const triggers = triggersIn(checks)
  const pairs = pairsIn(checks)
  const not_applicable = inapplicableIn(checks)
  const mark = recordedMark(result)
  const panel = panelVerdicts(checks)
  const always = {
    attempt_id,
    test_hash: result.test_hash,
    target_hash: result.target_hash && shared.text(result.target_hash),
    trial: result.trial,
    suite: shared.text(result.suite),
    file: shared.text(result.file),
    line: result.line,
    test_id,
    target: shared.text(result.target),
    verdict,
    score,
    duration_ms,
    started_ms,
    ended_ms: started_ms === undefined || elapsed_ms === undefined ? undefined : started_ms + elapsed_ms,
    tags: result.tags.length === 0 ? NO_TAGS : shared.value(result.tags),
    judge_calls: judge_usage?.calls ?? 0,
    misses_required: checks.some(missesRequired),
    checks: checkFacts(checks, shared),
    is_bug: result.error?.code === 'bug' || checks.some(isBug),
    is_replaceable: result.error?.stage === 'grade' || result.error?.never_reached === true,
    has_answer: result.answer !== null,
    is_cached: result.cached === true,
    is_control: result.control === true,
  }
  return addDefined(always, {
    shared_hash: result.shared_hash,
    judges_hash: result.judges_hash && shared.text(result.judges_hash),
    rerun: result.rerun,
    added: result.added,
    threshold: result.threshold,
    cost_usd,
    failed_calls: result.failed_calls,
    trigger_threshold: result.trigger_threshold,
    cluster: clusterOf(result, shared),
    tokens: totalTokens(result.token_usage),
    judge_cost_usd: judge_usage?.cost_usd,
    judge_scores: (result.judge_scores?.length ?? 0) > 1 ? result.judge_scores : undefined,
    panel: panel && shared.value(panel),
    not_applicable: not_applicable && shared.value(not_applicable),
    control_of: result.control_of && shared.value(result.control_of),
    triggers: triggers && shared.value(triggers),
    pairs: pairs && shared.value(pairs),
    mark: mark && shared.value(mark),
  })
}

const NO_TAGS: readonly string[] = []

function clusterOf({ suite, conversation_id, metadata }: Result, shared: InternPool): string | undefined {
  const name = clusterName(suite, { conversation_id, metadata })
  return name === undefined ? undefined : shared.text(name)
}

/** The name that tests share if they are not independent: the `cluster` in their metadata, else their conversation. */
export function clusterName(
  suite: string,
  { conversation_id, metadata }: Pick<Result, 'conversation_id' | 'metadata'>,
): string | undefined {
  const { cluster } = metadata
  const own = typeof cluster === 'string' || typeof cluster === 'number' ? `cluster ${cluster}` : conversation_id
  return own === undefined ? undefined : `${suite} ${own}`
}

/** The outermost checks that do not apply to the target. */
function inapplicableIn(checks: readonly EvaluatorResult[]): readonly string[] | undefined {
  const names: string[] = []
  for (const { name, not_applicable, evaluator_results: inside } of checks) {
    if (not_applicable) names.push(name)
    else if (inside) names.push(...(inapplicableIn(inside) ?? []))
  }
  return names.length === 0 ? undefined : names
}

function isBug({ error, evaluator_results: inside }: EvaluatorResult): boolean {
  return error?.code === 'bug' || (inside?.some(isBug) ?? false)
}

/** A key that all trials of a test on a target share. */
export function testKey(test: Pick<ResultFacts, 'test_id' | 'target' | 'suite' | 'file'>): string {
  const { test_id, target, suite, file } = test
  return compositeKey(test_id, target, suite, file)
}

/** The records of a run: the newest result of each planned attempt, in the order of the plan. */
export interface RunReader {
  /** Undefined if there is only a file of results. */
  readonly info: RunInfo | undefined
  /** How many attempts were planned. */
  readonly planned: number
  /** How many tests on targets were planned. */
  readonly planned_tests: number
  /** Without `info`: the part of the suites that the results cover, if recorded. */
  readonly part?: string | undefined
  /** Number of unreadable lines, which are skipped. */
  readonly damaged?: number | undefined
  /** Absolute path of the file with the results. */
  readonly results_file?: string | undefined
  facts(): Iterable<ResultFacts>
  /** The whole result of an attempt. */
  result(attemptId: string): Result | undefined
  results(): Iterable<Result>
}
