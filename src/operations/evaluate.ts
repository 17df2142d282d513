import { type Diagnostic, hasErrors } from '../diagnostics/diagnostic.ts'
import { createRedactor, type Redactor } from '../lib/redaction/redactor.ts'
import type { Calibration } from '../model/calibration.ts'
import type { Origin } from '../model/location.ts'
import type { Plan } from '../model/plan.ts'
import type { Result } from '../model/result.ts'
import type { StandIn } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import type { FoundFiles } from '../parse/find-files.ts'
import type { LoadResult } from '../parse/load-files.ts'
import { loadTargets } from '../parse/targets/load-targets.ts'
import { hashFiles, targetContents } from '../plan/file-hashes.ts'
import { makePlan, selectTests } from '../plan/make-plan.ts'
import { type SkipOptions, skipTests } from '../plan/skip-tests.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { RECORD_KEYS } from '../record/record-keys.ts'
import { correctedOutcome } from '../report/outcome/corrected/corrected-rates.ts'
import type { Outcome } from '../report/outcome/run-outcome.ts'
import { targetTypes } from '../spec/targets.ts'
import { loadSuites } from './load-suites.ts'
import { projectCalibrations } from './project-calibrations.ts'
import { checkGate } from './run/check-gate.ts'
import { type ComparedRunsOptions, loadComparedRuns } from './run/compared-runs.ts'
import { decidingSettings, requireQuestion } from './run/deciding-settings.ts'
import { type FinishedRun, recordRun } from './run/record-run.ts'
import type { RunObserver } from './run/run-observer.ts'
import { checkComparison, type RunRequest, type Selection, selectionOf } from './run/run-request.ts'
import type { Runtime } from './runtime.ts'

/** What a program that starts a run can do meanwhile. */
export interface EvaluateOptions extends RunObserver {
  /** Ends running attempts and starts no new ones. */
  readonly signal?: AbortSignal | undefined
}

export interface Evaluation {
  /** Problems in the suites and in the targets in use. */
  readonly diagnostics: readonly Diagnostic[]
  /** Undefined where the diagnostics have an error. */
  readonly run:
    | {
        readonly id: string
        /** Where the records are. */
        readonly folder: string
        readonly outcome: Outcome
        /** Every result, in the order of the plan. */
        results(): Iterable<Result>
      }
    | undefined
}

/** The program on one page: text → suites → plan → records → outcome. */
export async function evaluate(
  request: RunRequest,
  runtime: Runtime,
  options: EvaluateOptions = {},
): Promise<Evaluation> {
  const { host } = runtime
  const { until_decided } = request
  const folders = await findProjectFolders(request.runs_dir, host)
  const { plan, diagnostics, redactor } = await planRun(request, runtime, { until_decided, compared: folders })
  if (!plan) return { diagnostics, run: undefined }
  const complete = { ...request, paths: request.paths ?? ['.'], deciding: decidingSettings(request, undefined, host) }
  requireQuestion(plan.attempts, complete)
  checkGate(complete)
  const calibrations = await projectCalibrations(host)
  const recorded = selectionOf(complete)
  const run = { request: complete, recorded, folders, observer: options, signal: options.signal }
  return evaluationOf(diagnostics, await recordRun({ plan, redactor }, run, host), calibrations)
}

/** What a finished run came to. Throws where its records could not be written. */
export function evaluationOf(
  diagnostics: readonly Diagnostic[],
  { folder, problem }: FinishedRun,
  calibrations: readonly Calibration[],
): Evaluation {
  if (problem) throw problem
  const results = () => folder.results()
  const outcome = correctedOutcome(folder, calibrations)
  return { diagnostics, run: { id: folder.info.run_id, folder: folder.path, outcome, results } }
}

/** What a plan depends on besides the selection. */
export interface PlanOptions extends SkipOptions {
  /** Where the runs are that checks compare with. */
  readonly compared?: ComparedRunsOptions | undefined
  /** Where the defaults of the selection are written. */
  readonly config?: Origin | undefined
  /** What answers in place of targets. */
  readonly standIn?: StandIn | undefined
  /** Hashes of files of targets that count as they were when a run began, by their absolute paths. */
  readonly files_before?: ReadonlyMap<string, string> | undefined
  /** Values to redact besides the secrets of targets, with the names to show instead. */
  readonly secrets?: ReadonlyMap<string, string> | undefined
  /** Whether the targets of the selection are all arms: the control arms of suites are ignored. */
  readonly is_exact?: boolean | undefined
  /** How many equal tests come before these, in suites that are not among the paths. */
  readonly equals_before?: number | undefined
  /** Whether an expired quarantine is accepted. */
  readonly allows_expired?: boolean | undefined
  /** Changes tests before they are planned. */
  readonly revise?: ((test: Test) => Test) | undefined
  /** Whether plugin evals run without their control arm. Default: what the selection says. */
  readonly is_single_arm?: boolean | undefined
}

/** A run that is ready to start, or the reasons why it is not. */
export interface PlannedRun {
  readonly found: FoundFiles
  readonly loaded: LoadResult
  /** Problems in the suites and in the targets in use. */
  readonly diagnostics: readonly Diagnostic[]
  /** Undefined where the diagnostics have an error. */
  readonly plan: Plan | undefined
  readonly redactor: Redactor
  /** Values to redact, with the names to show instead. */
  readonly secrets: ReadonlyMap<string, string>
}

/** Text → suites → tests → targets → plan. */
export async function planRun(selection: Selection, runtime: Runtime, options: PlanOptions = {}): Promise<PlannedRun> {
  const { host } = runtime
  const types = targetTypes(runtime.providers)
  checkComparison(selection, types)
  const { found, loaded } = await loadSuites(selection, runtime, options)
  const { selected: written, skipped } = skipTests(selectTests(loaded.suites, selection), options)
  const { revise } = options
  const selected = revise ? written.map(({ suite, tests }) => ({ suite, tests: tests.map(revise) })) : written
  const targets = await loadTargets(selected, {
    host,
    types,
    file: selection.targets_file,
    names: selection.targets,
    control: selection.control,
    ablate: selection.ablate,
    is_exact: options.is_exact,
    judge: selection.judge,
    defaults: { ...selection.defaults, at: options.config },
    standIn: options.standIn,
  })
  const secrets = new Map([...targets.secrets, ...(options.secrets ?? [])])
  const planned = { found, loaded, secrets, redactor: createRedactor(secrets, RECORD_KEYS) }
  const problems = [...loaded.diagnostics, ...targets.diagnostics]
  if (hasErrors(problems)) return { ...planned, diagnostics: problems, plan: undefined }
  const hashes = await hashFiles(selected, host)
  const contents = await targetContents(targets.all(), host, options.files_before)
  const { armsOf } = targets
  const compared = await loadComparedRuns({ selected, armsOf, hashes, contents }, options.compared ?? {}, host)
  const diagnostics = [...problems, ...compared.diagnostics]
  if (hasErrors(diagnostics)) return { ...planned, diagnostics, plan: undefined }
  const plan = makePlan({
    selected,
    skipped,
    armsOf,
    judgeOf: targets.judgeOf,
    compared_runs: compared.runs,
    judges: targets.judges(),
    hashes,
    contents,
    available_tests: loaded.suites.reduce((sum, { tests }) => sum + tests.length, 0),
    trials: selection.trials,
    threshold: selection.threshold,
    shard: selection.shard,
    equals_before: options.equals_before,
  })
  return { ...planned, diagnostics, plan }
}
