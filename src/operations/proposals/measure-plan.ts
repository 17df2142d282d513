import { join } from 'node:path'
import type { Redactor } from '../../lib/redaction/redactor.ts'
import type { Host } from '../../model/host.ts'
import type { Plan } from '../../model/plan.ts'
import type { Result } from '../../model/result.ts'
import type { ResultFacts } from '../../model/run-reader.ts'
import { latestRun } from '../../record/find-run.ts'
import type { ResumableRun } from '../../record/open-run.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { readRunInfo } from '../../record/run-folder.ts'
import { type Outcome, outcomeOf } from '../../report/outcome/run-outcome.ts'
import { type KnownCosts, meanCost } from '../../run/policies/budget.ts'
import type { StopReason } from '../../run/run-stop.ts'
import { recordRun } from '../run/record-run.ts'
import type { RunObserver } from '../run/run-observer.ts'

/** What all measurements of a session share. */
export interface MeasureContext {
  readonly folders: ProjectFolders
  readonly redactor: Redactor
  readonly observer: RunObserver
  readonly signal: AbortSignal | undefined
  readonly workers: number
  readonly timeout_seconds: number | undefined
  /** What measurements may cost, with `spent`. */
  readonly max_cost_usd: number | undefined
  /** What the measurements of the session have cost so far. */
  spent(): Promise<KnownCosts>
  readonly command: readonly string[] | undefined
  readonly host: Host
}

/** A plan that is run in a folder of a session. */
export interface Measurement {
  readonly plan: Plan
  readonly paths: readonly string[]
  readonly runs_folder: string
  /** The run whose recorded answers are graded. */
  readonly source?: string | undefined
}

/** The records of a measurement. */
export interface MeasuredRun {
  readonly outcome: Outcome
  readonly facts: readonly ResultFacts[]
  results(): Iterable<Result>
  /** The folder of the run. */
  readonly path: string
  /** Why attempts are missing; undefined if it is complete. */
  readonly stopped: StopReason | undefined
}

/** Makes the attempts that are not recorded yet, as a run of its own in the folder of the session. */
export async function measurePlan(measurement: Measurement, context: MeasureContext): Promise<MeasuredRun> {
  for (let recorded = -1; ; ) {
    const run = await measureOnce(measurement, context)
    const isProgress = run.facts.length > recorded
    recorded = run.facts.length
    // Attempts that cost less than they were expected to leave room for more.
    if (run.stopped !== 'budget' || !isProgress || !(await hasRoom(context))) return run
  }
}

async function hasRoom({ spent, max_cost_usd = 0 }: MeasureContext): Promise<boolean> {
  const costs = await spent()
  const mean = meanCost(costs)
  return mean !== undefined && costs.usd + (costs.unknown + 1) * mean <= max_cost_usd + 1e-9
}

async function measureOnce(measurement: Measurement, context: MeasureContext): Promise<MeasuredRun> {
  const { plan, paths, runs_folder, source } = measurement
  const { redactor, observer, signal, workers, timeout_seconds, max_cost_usd, command, host } = context
  const folders = { ...context.folders, runs_folder }
  const request = { paths, workers, timeout_seconds, max_cost_usd, command }
  const resumes = await begunRun(runs_folder, host)
  const spent = max_cost_usd === undefined ? undefined : await context.spent()
  const run = { request, folders, resumes, source, signal, observer, spent }
  const { folder, stopped, problem } = await recordRun({ plan, redactor }, run, host)
  if (problem) throw problem
  const isWhole = folder.index.size >= folder.planned
  return {
    outcome: outcomeOf(folder),
    facts: [...folder.facts()],
    results: () => folder.results(),
    path: folder.path,
    stopped: isWhole ? undefined : stopped,
  }
}

/** The run in a folder, if it was begun. Attempts that never reached the target are made again. */
async function begunRun(runsFolder: string, host: Host): Promise<ResumableRun | undefined> {
  const id = await latestRun(runsFolder, host)
  const folder = id === undefined ? undefined : join(runsFolder, id)
  const info = folder === undefined ? undefined : await readRunInfo(folder, host)
  return folder === undefined || !info ? undefined : { folder, info, rerun_failed: false, remakes_unreached: true }
}
