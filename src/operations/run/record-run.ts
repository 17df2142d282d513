import type { Redactor } from '../../lib/redaction/redactor.ts'
import type { RunEvent } from '../../model/attempt.ts'
import type { Host } from '../../model/host.ts'
import type { Plan } from '../../model/plan.ts'
import type { Provenance } from '../../model/provenance.ts'
import type { Result } from '../../model/result.ts'
import type { Target } from '../../model/target.ts'
import { changedFiles } from '../../plan/file-hashes.ts'
import { latestRun } from '../../record/find-run.ts'
import type { ResumableRun } from '../../record/open-run.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { collectProvenance } from '../../record/provenance.ts'
import type { RunFolder } from '../../record/run-folder.ts'
import { createOtherAnswers } from '../../run/other-answers.ts'
import { Budgets, type KnownCosts } from '../../run/policies/budget.ts'
import { type PlanRunner, runPlan, workerLimit } from '../../run/run-plan.ts'
import { RunRecorder } from '../../run/run-recorder.ts'
import { RunStop, type StopReason } from '../../run/run-stop.ts'
import { WorkspaceCleanup } from '../../run/workspace-cleanup.ts'
import type { RunLog } from '../logs/run-log.ts'
import { version } from '../version.ts'
import { LiveRun } from './live-run.ts'
import { runContext } from './run-context.ts'
import { runDecision } from './run-decision.ts'
import type { RunObserver } from './run-observer.ts'
import { type OpenRecords, openRecords, recordEnd } from './run-records.ts'
import { type CompleteRequest, recordedRequest } from './run-request.ts'

/** How a plan is run. */
export interface RunOptions {
  readonly request: CompleteRequest
  /** What `run.json` keeps of the request. */
  readonly recorded?: CompleteRequest | undefined
  readonly folders: ProjectFolders
  /** Where the run comes from, if that is being found out already. */
  readonly provenance?: Promise<Provenance> | undefined
  /** The run to resume. */
  readonly resumes?: ResumableRun | undefined
  /** The run whose answers are graded again; their workspaces stay for it. */
  readonly source?: string | undefined
  /** What the budget has paid already; with it, unknown costs are estimated. */
  readonly spent?: KnownCosts | undefined
  /** What makes the records, where it is not this machine. */
  readonly records?: PlanRunner | undefined
  /** Ends running attempts and starts no new ones. */
  readonly signal?: AbortSignal | undefined
  readonly observer?: RunObserver | undefined
}

export interface FinishedRun {
  readonly folder: RunFolder
  /** Why attempts were left out, where some were. */
  readonly stopped: StopReason | undefined
  /** Whether `assay view` has stopped it. */
  readonly is_stop_requested: boolean
  /** Why the records could not be written on. */
  readonly problem: Error | undefined
  /** Answers whose cost is unknown, so that no budget counted them. */
  readonly uncounted: number
  /** The log of the run; undefined where nothing is logged. */
  readonly log: RunLog | undefined
}

/** Plan → answers → grades → records. */
export async function recordRun(
  { plan: planned, redactor }: { readonly plan: Plan; readonly redactor: Redactor },
  options: RunOptions,
  host: Host,
): Promise<FinishedRun> {
  const { request, folders, source, records = runPlan } = options
  const { previous, opened } = await begin(planned, redactor, options, host)
  const { folder, plan } = opened
  let log: RunLog | undefined
  const stop = new RunStop(request, host)
  const budgets = new Budgets(request.max_cost_usd, options.spent)
  const live = new LiveRun(folder, { ...options, budget: budgets.all, stop, toJson: redactor.json }, host)
  const { observer } = live
  const workspaces = new WorkspaceCleanup({ keep_workspaces: source !== undefined }, host)
  const decision = source === undefined ? runDecision(plan, request, folder) : undefined
  const others = otherAnswersIn(opened, request, host)
  const onResult = (result: Result, line: string) => {
    others?.settle(result.attempt_id)
    log?.add(result.attempt_id)
    observer.onResult?.(result, line)
    if (decision?.evidence) observer.onEvidence?.(decision.evidence)
  }
  const decide = (event: RunEvent) => {
    if (event.type !== 'finished') return
    decision?.onResult(event.result)
    if (decision?.isDecided) stop.stop('decided')
  }
  const recorder = new RunRecorder(folder, { stop, workspaces, onResult }, host)
  const { workers, timeout_seconds, cache, judge_repeats } = request
  const context = runContext(
    { folders, previous, workers, cache, toJson: redactor.json },
    {
      run_id: folder.info.run_id,
      hashes: plan.hashes,
      judgeOf: plan.judgeOf,
      others,
      judge_repeats,
      workers,
      timeout_seconds,
      answers: recorder,
      budgetsOf: attempt => budgets.of(attempt),
      notify: event => {
        stop.onEvent(event)
        decide(event)
        observer.onEvent?.(event)
      },
      stop: stop.stopping,
      abort: stop.aborting,
    },
    host,
  )
  const unfollow = stop.follow(options.signal)
  try {
    if (request.log) log = (await logging()).openRunLog(opened, redactor, { request, observer }, host)
    observer.onStart?.({ ...opened, most: decision?.most })
    if (decision?.isDecided) stop.stop('decided')
    const attempts = plan.attempts.filter(({ id }) => !folder.index.has(id))
    const made = (decision?.runner(records) ?? records)({ ...plan, attempts }, context)
    for await (const results of made) recorder.addResults(results)
  } finally {
    unfollow()
    await workspaces.finished()
    await live.end()
    const changed = await changedFiles(plan.contents, host)
    if (changed.programs.length > 0) await context.cache?.forget()
    if (decision?.isDecided && !recorder.problem) await decision.record().catch(error => recorder.fail(error))
    await recordEnd(folder, stop.reason, changed, folders.root)
    await folder.close().catch(error => recorder.fail(error))
  }
  const { is_stop_requested } = live
  return { folder, stopped: stop.reason, is_stop_requested, problem: recorder.problem, uncounted: budgets.unknown, log }
}

/** Opens the records of a run, with where it comes from. */
async function begin(plan: Plan, redactor: Redactor, options: RunOptions, host: Host) {
  const { request, folders, resumes, source } = options
  const provenance = await (options.provenance ?? collectProvenance(request, folders, host))
  const previous = resumes ? resumes.info.previous : await latestRun(folders.runs_folder, host)
  const logDir = request.log ? (await logging()).recordedLogDir(request, folders, host) : undefined
  const recorded = options.recorded ?? recordedRequest(request, logDir)
  const place = { ...folders, version, previous, provenance, source, begun: resumes }
  return { previous, opened: await openRecords(plan, recorded, place, redactor.json, host) }
}

/** The answers that the checks of a run compare with. */
function otherAnswersIn({ plan, folder }: OpenRecords, { workers }: CompleteRequest, host: Host) {
  const limitOf = (target: Target) => workerLimit(target, workers, host)
  return createOtherAnswers({ ...plan, resultOf: id => folder.result(id), limitOf })
}

/** Logs are loaded only for runs that have one. */
function logging() {
  return import('../logs/run-log.ts')
}
