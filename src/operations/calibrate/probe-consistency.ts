import { compositeKey, groupBy } from '../../lib/collections.ts'
import type { Redactor } from '../../lib/redaction/redactor.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { type JudgeConsistency, judgeConsistency } from '../../lib/statistics/judge-consistency.ts'
import type { Attempt } from '../../model/attempt.ts'
import { UserError } from '../../model/user-error.ts'
import type { AnswerStore } from '../../run/policies/answer-store.ts'
import { runPlan } from '../../run/run-plan.ts'
import { RunStop } from '../../run/run-stop.ts'
import { NOTHING_TO_GRADE, planGrading, type ReadyGrading } from '../grade.ts'
import { runContext } from '../run/run-context.ts'
import type { Runtime } from '../runtime.ts'
import type { CalibratedJudges, CalibratedRun } from './calibrate.ts'
import type { JudgedAnswer } from './judged-answers.ts'

/** How often each answer is judged again. */
const ROUNDS = 5

export interface ProbeOptions {
  /** The run as the user names it. */
  readonly run: string
  readonly runs_dir?: string | undefined
  /** The most answers that are judged again, for each set of judges. */
  readonly answers: number
}

/** What is asked, before anything is. */
export interface PlannedProbe {
  readonly rounds: number
  readonly answers: number
  /** The number of calls to judges, as the run needed for these answers. */
  readonly calls: number
  /** Judged answers whose test, checks or judges have changed since the run: they cannot be judged the same way again. */
  readonly changed: number
  readonly redactor: Redactor
  readonly grading: ReadyGrading
  readonly chosen: readonly ChosenAnswer[]
}

interface ChosenAnswer {
  readonly suite: string
  readonly judges_hash: string
  readonly attempt: Attempt
  readonly calls: number
}

/** Chooses answers of a calibrated run to judge again, as many that the judges passed as they failed. Asks nothing. */
export async function planProbe(
  calibrated: CalibratedRun,
  { run, runs_dir, answers: most }: ProbeOptions,
  runtime: Runtime,
): Promise<PlannedProbe> {
  const grading = await planGrading(run, { runs_dir }, runtime)
  if (grading.kind === 'invalid')
    throw new UserError(
      'The suites of the run are invalid now, so its judges cannot be asked again.',
      'See `assay validate`.',
    )
  if (grading.kind !== 'ready') throw new UserError(NOTHING_TO_GRADE[grading.kind])
  const attempts = new Map(grading.planned.plan.attempts.map(attempt => [attemptKey(attempt), attempt]))
  let changed = 0
  const choose = ({ suite, judges }: { suite: string; judges: CalibratedJudges }) => {
    const asked = judges.answers.filter(({ judge_calls }) => judge_calls > 0)
    const known = asked.flatMap(answer => {
      const attempt = attempts.get(answerAttemptKey(suite, answer))
      return attempt ? [{ suite, judges_hash: judges.judges_hash, attempt, answer, calls: answer.judge_calls }] : []
    })
    changed += asked.length - known.length
    return drawn(known, most)
  }
  const chosen = calibrated.suites.flatMap(({ suite, judge_sets }) =>
    judge_sets.flatMap(judges => choose({ suite, judges })),
  )
  const calls = ROUNDS * chosen.reduce((sum, each) => sum + each.calls, 0)
  return { rounds: ROUNDS, answers: chosen.length, calls, changed, redactor: grading.planned.redactor, grading, chosen }
}

function attemptKey({ suite, test, target, trial, checks_hash, judges_hash }: Attempt): string {
  return compositeKey(suite.name, test.id, target.name, String(trial), checks_hash, judges_hash)
}

function answerAttemptKey(suite: string, answer: JudgedAnswer): string {
  const { test_id, target, trial, checks_hash = '', judges_hash } = answer
  return compositeKey(suite, test_id, target, String(trial), checks_hash, judges_hash)
}

/** Draws the same answers each time: as many passes as fails, and of each test only one. */
function drawn<Known extends { readonly answer: JudgedAnswer }>(known: readonly Known[], most: number): Known[] {
  const random = seededRandom(1)
  const shuffled = known.map(each => ({ each, at: random() })).sort((one, other) => one.at - other.at)
  const byTest = new Map<string, Known>()
  for (const { each } of shuffled) if (!byTest.has(each.answer.cluster)) byTest.set(each.answer.cluster, each)
  const ofVerdict = (passes: boolean) => [...byTest.values()].filter(({ answer }) => answer.passes === passes)
  const [passes, fails] = [ofVerdict(true), ofVerdict(false)]
  const half = Math.min(fails.length, Math.ceil(most / 2))
  const rest = passes.slice(0, most - half)
  return [...rest, ...fails.slice(0, most - rest.length)]
}

/** Whether judges that are asked again say the same. */
export interface ProbedConsistency {
  readonly suite: string
  readonly judges_hash: string
  readonly calls: number
  readonly answers: number
  /** Answers that a call could not judge: they count in no figure. */
  readonly errors: number
  readonly consistency: JudgeConsistency | undefined
}

interface ProbeObserver {
  /** Aborts when no call may start anymore. */
  readonly signal: AbortSignal
  onRound(round: number): void
}

/** Judges the chosen answers again, without the cache and without a record. Undefined if it was interrupted. */
export async function probeConsistency(
  { grading, chosen, rounds }: PlannedProbe,
  { signal, onRound }: ProbeObserver,
  { host }: Runtime,
): Promise<ProbedConsistency[] | undefined> {
  const verdicts = new Map<string, string[]>(chosen.map(({ attempt }) => [attempt.id, []]))
  const stop = new RunStop({}, host)
  const interrupt = () => stop.stop('signal')
  signal.addEventListener('abort', interrupt, { once: true })
  const plan = { ...grading.planned.plan, attempts: chosen.map(({ attempt }) => attempt) }
  for (let round = 1; round <= rounds && !signal.aborted; round++) {
    onRound(round)
    for await (const results of runPlan(plan, contextOf(grading, stop, { host })))
      for (const { attempt_id, verdict } of results) verdicts.get(attempt_id)?.push(verdict)
  }
  signal.removeEventListener('abort', interrupt)
  if (signal.aborted) return undefined
  const sets = groupBy(chosen, ({ suite, judges_hash }) => compositeKey(suite, judges_hash))
  return [...sets.values()].map(own => {
    const [{ suite, judges_hash }] = own
    const found = own.map(({ attempt }) => verdicts.get(attempt.id) ?? [])
    return { suite, judges_hash, calls: rounds, ...consistencyOf(found, rounds) }
  })
}

function consistencyOf(verdicts: readonly (readonly string[])[], rounds: number) {
  const judged = verdicts.filter(each => each.length === rounds && !each.includes('error'))
  const passes = judged.map(each => each.filter(verdict => verdict === 'pass').length)
  return {
    answers: judged.length,
    errors: verdicts.length - judged.length,
    consistency: judgeConsistency(rounds, passes),
  }
}

/** A run of which nothing is kept: no answers, no results, no cache. */
function contextOf(
  { folders, planned, request, source }: ReadyGrading,
  stop: RunStop,
  { host }: Pick<Runtime, 'host'>,
) {
  const { workers, timeout_seconds } = request
  const answers: AnswerStore = { get: () => undefined, add: (_, answer) => answer }
  return runContext(
    { folders, previous: undefined, workers, toJson: planned.redactor.json },
    {
      run_id: source,
      hashes: planned.plan.hashes,
      judgeOf: planned.plan.judgeOf,
      workers,
      timeout_seconds,
      answers,
      budgetsOf: () => [],
      notify: event => stop.onEvent(event),
      stop: stop.stopping,
      abort: stop.aborting,
    },
    host,
  )
}
