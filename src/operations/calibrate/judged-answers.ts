import { compositeKey, InternPool } from '../../lib/collections.ts'
import { instrumentOf } from '../../model/calibration.ts'
import { type LabelledAnswer, labelledAnswer } from '../../model/label.ts'
import { type PairComparison, pairsIn } from '../../model/pair.ts'
import type { Result } from '../../model/result.ts'
import { clusterName, type RunReader } from '../../model/run-reader.ts'

/** What a calibration needs of a judged attempt. */
export interface JudgedAnswer extends LabelledAnswer {
  readonly attempt_id: string
  readonly target: string
  readonly trial: number
  readonly judges_hash: string
  readonly checks_hash: string | undefined
  readonly instrument: string | undefined
  /** Answers of one cluster are not independent: those of a test, of a conversation, or of a cluster in metadata. */
  readonly cluster: string
  readonly passes: boolean
  readonly score: number
  readonly characters: number
  readonly judge_calls: number
  readonly pairs: readonly PairComparison[] | undefined
}

/** The answers of a suite in a run. */
export interface SuiteAnswers {
  readonly suite: string
  readonly judged: readonly JudgedAnswer[]
  /** The instruments of all judged attempts, by `judges_hash`. */
  readonly instruments: ReadonlyMap<string, ReadonlySet<string>>
  /** Answers that count in no figure: of errors, computed verdicts, quarantined tests, and reruns of failures. */
  readonly not_judged: ReadonlySet<string>
  /** The tests of the run, with their input and criteria. */
  readonly tasks: ReadonlySet<string>
  readonly test_ids: ReadonlySet<string>
}

/** Reads what a model judged in a run, by suite. */
export function judgedAnswers(run: Pick<RunReader, 'results'>): SuiteAnswers[] {
  const suites = new Map<string, Collected>()
  const shared = new InternPool()
  for (const result of run.results()) {
    const suite = suites.get(result.suite) ?? collected(result.suite)
    suites.set(result.suite, suite)
    add(result, suite, shared)
  }
  return [...suites.values()]
}

interface Collected extends SuiteAnswers {
  readonly judged: JudgedAnswer[]
  readonly instruments: Map<string, Set<string>>
  readonly not_judged: Set<string>
  readonly tasks: Set<string>
  readonly test_ids: Set<string>
}

function collected(suite: string): Collected {
  return {
    suite,
    judged: [],
    instruments: new Map(),
    not_judged: new Set(),
    tasks: new Set(),
    test_ids: new Set(),
  }
}

function add(result: Result, suite: Collected, shared: InternPool): void {
  const { judges_hash, verdict, score } = result
  const instrument = instrumentOf(result)
  if (judges_hash !== undefined && instrument !== undefined)
    suite.instruments.set(judges_hash, (suite.instruments.get(judges_hash) ?? new Set()).add(instrument))
  const answer = labelledAnswer(result)
  if (!answer) return
  suite.test_ids.add(answer.test_id)
  suite.tasks.add(taskKey(answer))
  if (judges_hash === undefined || verdict === 'error' || score === null || !countsInRates(result))
    suite.not_judged.add(answerKey(answer))
  else suite.judged.push(judgedAnswer({ ...result, judges_hash, score }, answer, shared))
}

/** Reruns repeat only failures, and quarantined tests count in no figure: both would bias rates. */
function countsInRates({ added, quarantine }: Result): boolean {
  return added === undefined && quarantine === undefined
}

function judgedAnswer(
  result: Result & { readonly judges_hash: string; readonly score: number },
  answer: LabelledAnswer,
  shared: InternPool,
): JudgedAnswer {
  const { attempt_id, trial, score, verdict, suite, file, test_id } = result
  return {
    ...answer,
    attempt_id,
    trial,
    score,
    target: shared.text(result.target),
    judges_hash: shared.text(result.judges_hash),
    checks_hash: result.checks_hash && shared.text(result.checks_hash),
    instrument: shared.text(instrumentOf(result) ?? ''),
    cluster: clusterName(suite, result) ?? compositeKey(file, test_id),
    passes: verdict === 'pass',
    characters: result.answer?.length ?? 0,
    judge_calls: result.judge_usage?.calls ?? 0,
    pairs: pairsIn(result.evaluator_results),
  }
}

/** A key of an answer to a task. */
export function answerKey({ test_id, task_hash, answer_sha256 }: LabelledAnswer): string {
  return compositeKey(test_id, task_hash, answer_sha256)
}

/** A key of a test with its input and criteria. */
export function taskKey({ test_id, task_hash }: Pick<LabelledAnswer, 'test_id' | 'task_hash'>): string {
  return compositeKey(test_id, task_hash)
}
