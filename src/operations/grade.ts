import { countTests } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import { isAnswered } from '../model/recordings.ts'
import { type RunInfo, unlistedAttempts } from '../model/run-info.ts'
import { UserError } from '../model/user-error.ts'
import { ablatedName } from '../parse/targets/ablate-targets.ts'
import { findRun, type RunFiles } from '../record/find-run.ts'
import { findProjectFolders, type ProjectFolders } from '../record/project-folders.ts'
import { readAttempts } from '../record/recordings.ts'
import { RunError } from '../record/run-error.ts'
import { readRunInfo } from '../record/run-folder.ts'
import { loadNearestConfig } from './config.ts'
import {
  type EvaluateOptions,
  type Evaluation,
  evaluationOf,
  type PlannedRun,
  type PlanOptions,
  planRun,
} from './evaluate.ts'
import { projectCalibrations } from './project-calibrations.ts'
import { checkGate } from './run/check-gate.ts'
import { recordRun } from './run/record-run.ts'
import { AnswersInUse, type Recorded, RecordedAnswers } from './run/recorded-answers.ts'
import { recordedTargets } from './run/recorded-targets.ts'
import { type RunName, requireNamed } from './run/resolve-run.ts'
import { type CompleteRequest, completeSelection, isSingleArm, type RunRequest, withGateOf } from './run/run-request.ts'
import type { Runtime } from './runtime.ts'

/** How answers are graded again. `paths` are other suites than those of the run. */
export type GradeOptions = Pick<
  RunRequest,
  | 'paths'
  | 'judge'
  | 'judge_repeats'
  | 'targets_file'
  | 'workers'
  | 'threshold'
  | 'fail_on'
  | 'min_pass_rate'
  | 'gate'
  | 'allow_flaky'
  | 'runs_dir'
  | 'label'
  | 'command'
>

/** A plan to grade the recorded answers of a run again, or the reason why nothing can be graded. */
export type GradingPlan =
  | { readonly kind: 'no-answers' }
  /** No answer is to a test as it is written now. */
  | { readonly kind: 'no-matches'; readonly planned: PlannedRun }
  /** Every answer is to a test that is skipped now. */
  | { readonly kind: 'all-skipped'; readonly planned: PlannedRun }
  | { readonly kind: 'invalid'; readonly planned: PlannedRun }
  | ReadyGrading

export interface ReadyGrading {
  readonly kind: 'ready'
  readonly planned: PlannedRun & { readonly plan: Plan }
  readonly request: CompleteRequest
  readonly folders: ProjectFolders
  readonly name: RunName
  /** The run whose answers are graded. */
  readonly source: string
  /** Recorded attempts of tests that are gone or changed. */
  readonly left: readonly Recorded[]
}

/** Plans to grade the recorded answers of a run by the suite as it is now. No target is asked. */
export async function planGrading(
  run: string,
  options: GradeOptions,
  runtime: Runtime,
  { revise, secrets }: Pick<PlanOptions, 'revise' | 'secrets'> = {},
): Promise<GradingPlan> {
  const { host } = runtime
  const folders = await findProjectFolders(options.runs_dir, host)
  const { found, info, recorded, not_made } = await recordedRun(run, folders, host)
  const { paths: suites = [], targets_file } = options
  const named = { suites, targets_file, suite_words: '--suite FILE' }
  const name = await requireNamed(run, { found, info, named }, folders, host)
  if (!recorded.some(isAnswered)) return { kind: 'no-answers' }
  checkGate(withGateOf(info, { ...options, deciding: undefined, affected: undefined }))
  const selection = {
    ...completeSelection(options, info, await loadNearestConfig(host)),
    ...targetsAndTrials(info, recorded),
    shard: undefined,
  }
  const inUse = new AnswersInUse()
  const planned = await planRun(selection, runtime, {
    standIn: recordedTargets(info, inUse, host),
    compared: { runs_folder: folders.runs_folder, after: info },
    revise,
    secrets,
    // A run that was interrupted may have answers of one arm only.
    is_single_arm: isSingleArm(info.options as RunRequest),
  })
  const { plan } = planned
  if (!plan) return { kind: 'invalid', planned }
  const known = new RecordedAnswers(recorded, info, plan.attempts, options.paths !== undefined)
  const attempts = inUse.takenBy(plan.attempts, known)
  if (!inUse.hasAnswers)
    return { kind: attempts.length === 0 && plan.skipped.length > 0 ? 'all-skipped' : 'no-matches', planned }
  const selected_tests = new Set([...attempts, ...plan.not_applicable, ...plan.skipped].map(({ test }) => test)).size
  const counts = { total: attempts.length + not_made, total_tests: countTests(attempts), selected_tests }
  const skipped = new Set(plan.skipped.map(({ test }) => test.id))
  // Stand-ins do not know what follows from the fields of the targets.
  const arms = info.arms ?? plan.arms
  const graded = { ...plan, attempts, arms, planned: attempts.length, ...counts }
  return {
    kind: 'ready',
    planned: { ...planned, plan: graded },
    request: withGateOf(info, { ...options, ...selection }),
    folders,
    name,
    source: info.run_id,
    left: inUse.leftOf(recorded).filter(({ test_id }) => !skipped.has(test_id)),
  }
}

/** Grades the recorded answers of a run again, and records that as another run. */
export async function grade(
  run: string,
  options: GradeOptions,
  runtime: Runtime,
  watch: EvaluateOptions = {},
): Promise<Evaluation> {
  const grading = await planGrading(run, options, runtime)
  if (grading.kind === 'no-answers' || grading.kind === 'no-matches' || grading.kind === 'all-skipped')
    throw new UserError(NOTHING_TO_GRADE[grading.kind])
  const { planned } = grading
  if (grading.kind === 'invalid') return { diagnostics: planned.diagnostics, run: undefined }
  const { request, folders, source } = grading
  const how = { request, folders, source, observer: watch, signal: watch.signal }
  const finished = await recordRun(grading.planned, how, runtime.host)
  return evaluationOf(planned.diagnostics, finished, await projectCalibrations(runtime.host))
}

/** Why no answer of a run can be graded. */
export const NOTHING_TO_GRADE = {
  'no-answers': 'The run has no answers to grade.',
  'all-skipped': 'No answer to grade: the tests that the run answered are marked with `skip` now.',
  'no-matches': 'No answer of the run belongs to a test as it is written now.',
} as const

interface RecordedRun {
  readonly found: RunFiles
  readonly info: RunInfo
  readonly recorded: readonly Recorded[]
  /** How many planned attempts have neither a result nor an answer. */
  readonly not_made: number
}

async function recordedRun(run: string, { runs_folder }: ProjectFolders, host: Host): Promise<RecordedRun> {
  const found = await findRun(run, runs_folder, host)
  const info = await readRunInfo(found.folder, host)
  if (!info) throw new RunError(`${found.folder} has no run.json, so its suite is unknown.`)
  const recorded = await readAttempts(found, host)
  const not_made = Math.max(0, info.attempts.length + unlistedAttempts(info) - recorded.length)
  return { found, info, recorded, not_made }
}

/** The targets of the recorded attempts in the order of the run, and the number of trials. */
function targetsAndTrials({ targets, options }: RunInfo, recorded: readonly Recorded[]) {
  const { ablate } = options as RunRequest
  const named = new Set(recorded.map(({ target }) => target))
  const inOrder = targets.map(({ name }) => String(name)).filter(name => named.has(name))
  const all = [...new Set([...inOrder, ...named])]
  // The plan adds the copies without the field.
  const copies = ablate === undefined ? [] : all.map(name => ablatedName(name, ablate))
  return {
    targets: all.filter(name => !copies.includes(name)),
    trials: recorded.reduce((most, { trial }) => Math.max(most, trial), 1),
  }
}
