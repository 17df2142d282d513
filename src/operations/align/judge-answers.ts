import type { AlignmentAnswer, AlignmentPart } from '../../model/alignment.ts'
import { type Attempt, countTests } from '../../model/attempt.ts'
import type { EvaluatorResult } from '../../model/evaluator-result.ts'
import type { Plan } from '../../model/plan.ts'
import type { Result } from '../../model/result.ts'
import type { Test } from '../../model/test.ts'
import { judgeChecks } from '../../model/verdict.ts'
import type { Wording } from '../../model/wording.ts'
import { planGrading } from '../grade.ts'
import { Incomplete } from '../proposals/incomplete.ts'
import { type MeasureContext, type MeasuredRun, measurePlan } from '../proposals/measure-plan.ts'
import type { RunObserver } from '../run/run-observer.ts'
import type { Runtime } from '../runtime.ts'
import { attemptKey, type LabelledResult, resultKey } from './labelled-answers.ts'
import type { PreparedAlignment } from './prepare-alignment.ts'
import { judgementCosts, proposalCosts } from './session-totals.ts'

/** A labelled answer as a wording judges it. */
export interface JudgedAnswer {
  readonly answer: AlignmentAnswer
  readonly labelled: LabelledResult
  /** Whether the attempt passes with the judgement of the check in it; undefined without a judgement. */
  readonly passes: boolean | undefined
  /** The judgement of the check. */
  readonly judgement: EvaluatorResult | undefined
}

/** How a session is watched and stopped. */
export interface AlignRun {
  readonly observer: RunObserver
  readonly signal?: AbortSignal | undefined
}

/** Has a wording judge a part of the answers: 0 is the present wording. What is recorded is not asked again. */
export async function judgeAnswers(
  candidate: number,
  wording: Wording,
  part: AlignmentPart,
  prepared: PreparedAlignment,
  run: AlignRun,
  runtime: Runtime,
): Promise<readonly JudgedAnswer[]> {
  const { folder, session, aligned } = prepared
  const answers = session.answers.filter(each => each.part === part)
  const labelled = new Map(aligned.answers.map(each => [each.labelled.key, each.labelled]))
  const plan = await planOf(wording, answers, prepared, runtime)
  const measurement = { plan, paths: [], runs_folder: folder.runsFolder(part, candidate), source: session.run_id }
  const measured = await measurePlan(measurement, await measureContext(prepared, run, runtime))
  requireJudged(measured, prepared)
  const results = new Map([...measured.results()].map(result => [resultKey(result), result]))
  return answers.flatMap(answer => {
    const known = labelled.get(answer.key)
    return known ? [judged(answer, known, results.get(answer.key), session.check)] : []
  })
}

/** The attempts that judge these answers by the check alone: the others stay as they were recorded. */
async function planOf(
  wording: Wording,
  answers: readonly AlignmentAnswer[],
  { options, session, aligned }: PreparedAlignment,
  runtime: Runtime,
): Promise<Plan> {
  const revise = (test: Test): Test => {
    const check = test.checks.find(({ name }) => name === session.check)
    return check?.evaluator.wording ? { ...test, checks: [check.evaluator.wording.replace(check, wording)] } : test
  }
  const grading = await planGrading(options.run, options, runtime, { revise })
  const wanted = new Set(answers.map(({ key }) => key))
  const keys = new Map(aligned.answers.map(({ labelled, attempt }) => [placeOf(attempt), labelled.key]))
  const attempts =
    grading.kind === 'ready'
      ? grading.planned.plan.attempts.filter(attempt => wanted.has(keys.get(placeOf(attempt)) ?? ''))
      : []
  if (grading.kind !== 'ready' || attempts.length < answers.length)
    throw new Incomplete('changed', 'The suite changed while its check was measured.')
  const counts = { planned: attempts.length, total: attempts.length, total_tests: countTests(attempts) }
  return { ...grading.planned.plan, attempts, ...counts, selected_tests: counts.total_tests }
}

/** What an attempt answers: another wording changes its id. */
function placeOf(attempt: Attempt): string {
  return attemptKey(attempt, attempt.test.at.file)
}

async function measureContext(
  prepared: PreparedAlignment,
  { observer, signal }: AlignRun,
  { host }: Runtime,
): Promise<MeasureContext> {
  const { grading, redactor, timeout_seconds, options } = prepared
  const { max_cost_usd: most, workers = host.cores, command } = options
  const max_cost_usd = most === undefined ? undefined : Math.max(0, most - (await proposalCosts(prepared)))
  const spent = () => judgementCosts(prepared, host)
  const { folders } = grading
  return { folders, redactor, observer, signal, workers, timeout_seconds, max_cost_usd, spent, command, host }
}

/** Throws if judgements are missing, or most of them are errors. */
function requireJudged({ outcome, facts, stopped }: MeasuredRun, { options }: PreparedAlignment): void {
  const [error] = outcome.notable.flatMap(({ result }) => result.error ?? [])
  const because = error ? `: ${error.message}` : '.'
  if (outcome.has_bug) throw new Incomplete('bug', `A judgement ended in an internal error${because}`)
  if (stopped === 'budget') {
    const isOwn = options.max_cost_usd !== undefined
    throw new Incomplete('budget', isOwn ? 'The budget is spent.' : '`budget_usd` of the suite or a test is spent.')
  }
  if (stopped !== undefined) throw new Incomplete('interrupted', 'Interrupted.')
  const errors = facts.filter(({ verdict }) => verdict === 'error').length
  if (2 * errors > facts.length)
    throw new Incomplete('errors', `${errors} of ${facts.length} answers could not be judged${because}`)
}

function judged(
  answer: AlignmentAnswer,
  labelled: LabelledResult,
  result: Result | undefined,
  name: string,
): JudgedAnswer {
  const judgement = result?.evaluator_results.find(check => check.name === name)
  if (!judgement) return { answer, labelled, passes: undefined, judgement }
  const { evaluator_results, threshold } = labelled.result
  const checks = evaluator_results.map(check => (check.name === name ? judgement : check))
  const { verdict } = judgeChecks(checks, threshold)
  return { answer, labelled, passes: verdict === 'error' ? undefined : verdict === 'pass', judgement }
}
