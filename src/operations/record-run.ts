import type { Redactor } from '../lib/redaction/redactor.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import { changedFiles } from '../plan/file-hashes.ts'
import { latestRun } from '../record/find-run.ts'
import type { ResumableRun } from '../record/open-run.ts'
import type { ProjectFolders } from '../record/project-folders.ts'
import type { RunFolder } from '../record/run-folder.ts'
import { Budgets } from '../run/policies/budget.ts'
import { type PlanRunner, runPlan } from '../run/run-plan.ts'
import { RunRecorder, type StopReason } from '../run/run-recorder.ts'
import { openRunLog, type RunLog, recordedLogDir } from './logs/run-log.ts'
import { runContext } from './run-context.ts'
import type { RunObserver } from './run-observer.ts'
import { openRecords, recordEnd } from './run-records.ts'
import { type CompleteRequest, recordedRequest } from './run-request.ts'
import { version } from './version.ts'

/** How a plan is run. */
export interface RunOptions {
  readonly request: CompleteRequest
  /** What `run.json` keeps of the request. */
  readonly recorded?: CompleteRequest | undefined
  readonly folders: ProjectFolders
  /** The run to resume. */
  readonly resumes?: ResumableRun | undefined
  /** The run whose answers are graded again; their workspaces stay for it. */
  readonly source?: string | undefined
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
  /** Why the records could not be written on. */
  readonly problem: Error | undefined
  /** Answers whose cost is unknown, so that no budget counted them. */
  readonly uncounted: number
  /** The log of the run, where one was asked for. */
  readonly log: RunLog | undefined
}

/** Plan → answers → grades → records. */
export async function recordRun(
  { plan: planned, redactor }: { readonly plan: Plan; readonly redactor: Redactor },
  options: RunOptions,
  host: Host,
): Promise<FinishedRun> {
  const { request, folders, resumes, source, signal, observer = {}, records = runPlan } = options
  const previous = resumes ? resumes.info.previous : await latestRun(folders.runs_folder, host)
  const recorded = options.recorded ?? recordedRequest(request, recordedLogDir(request, folders, host))
  const place = { ...folders, version, previous, source, begun: resumes }
  const opened = await openRecords(planned, recorded, place, redactor.json, host)
  const { folder, plan } = opened
  let log: RunLog | undefined
  const keeper = new RunRecorder(
    folder,
    {
      fail_fast: request.fail_fast,
      keep_workspaces: source !== undefined,
      onEvent: event => observer.onEvent?.(event),
      onResult: (result, line) => {
        log?.add(result.attempt_id)
        observer.onResult?.(result, line)
      },
    },
    host,
  )
  const budgets = new Budgets(request.max_cost_usd)
  const { workers, timeout_seconds, cache } = request
  const context = runContext(
    { folders, previous, workers, cache, toJson: redactor.json },
    {
      run_id: folder.info.run_id,
      hashes: plan.hashes,
      judgeOf: plan.judgeOf,
      workers,
      timeout_seconds,
      answers: keeper,
      budgetsOf: attempt => budgets.of(attempt),
      notify: event => keeper.notify(event),
      stop: keeper.stopping,
      abort: keeper.aborting,
    },
    host,
  )
  const stop = () => keeper.stop('signal')
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  try {
    log = openRunLog(opened, redactor, { request, observer }, host)
    observer.onStart?.(opened)
    const attempts = plan.attempts.filter(({ id }) => !folder.index.has(id))
    for await (const result of records({ ...plan, attempts }, context)) keeper.addResult(result)
  } finally {
    signal?.removeEventListener('abort', stop)
    await keeper.cleanedUp()
    const changed = await changedFiles(plan.contents, host)
    if (changed.programs.length > 0) await context.cache?.forget()
    await recordEnd(folder, keeper.stopped, changed, folders.root)
    await folder.close().catch(error => keeper.cannotRecord(error))
  }
  return { folder, stopped: keeper.stopped, problem: keeper.problem, uncounted: budgets.unknown, log }
}
