import { join } from 'node:path'
import type { Redactor } from '../../../lib/redaction/redactor.ts'
import type { Arm } from '../../../model/attempt.ts'
import type { Host } from '../../../model/host.ts'
import type { Plan } from '../../../model/plan.ts'
import type { ResultFacts } from '../../../model/run-reader.ts'
import type { Suite } from '../../../model/suite.ts'
import type { Target } from '../../../model/target.ts'
import type { Part, TuningQuery } from '../../../model/tuning.ts'
import { hashFiles, targetContents } from '../../../plan/file-hashes.ts'
import { makePlan } from '../../../plan/make-plan.ts'
import { latestRun } from '../../../record/find-run.ts'
import type { ResumableRun } from '../../../record/open-run.ts'
import type { ProjectFolders } from '../../../record/project-folders.ts'
import { readRunInfo } from '../../../record/run-folder.ts'
import { type Outcome, outcomeOf } from '../../../report/outcome/run-outcome.ts'
import { type KnownCosts, meanCost } from '../../../run/policies/budget.ts'
import type { StopReason } from '../../../run/run-stop.ts'
import { recordRun } from '../../run/record-run.ts'
import type { RunObserver } from '../../run/run-observer.ts'
import type { SessionFolder } from './session-folder.ts'

/** What all measurements of a session share. */
export interface MeasureContext {
  readonly session: SessionFolder
  readonly suite: Suite
  readonly queries: readonly TuningQuery[]
  readonly folders: ProjectFolders
  readonly redactor: Redactor
  readonly observer: RunObserver
  readonly signal: AbortSignal | undefined
  readonly workers: number
  readonly timeout_seconds: number | undefined
  readonly max_cost_usd: number | undefined
  readonly command: readonly string[] | undefined
  readonly host: Host
}

/** What is asked: a part of the queries, on targets that differ in the description. */
export interface Measurement {
  readonly part: Part
  readonly targets: readonly Target[]
  /** The target that the others are compared with. */
  readonly control?: Target
  readonly trials: number
}

/** The records of a measurement. */
export interface MeasuredRun {
  readonly outcome: Outcome
  readonly facts: readonly ResultFacts[]
  /** The folder of the run. */
  readonly path: string
  /** Why attempts are missing; undefined if it is complete. */
  readonly stopped: StopReason | undefined
}

/** Makes the attempts that are not recorded yet, as a run of its own in the folder of the session. */
export async function measure(
  measurement: Measurement,
  spent: () => Promise<KnownCosts>,
  context: MeasureContext,
): Promise<MeasuredRun> {
  for (let recorded = -1; ; ) {
    const before = await spent()
    const run = await measureOnce(measurement, before, context)
    const isProgress = run.facts.length > recorded
    recorded = run.facts.length
    // Attempts that cost less than they were expected to leave room for more.
    if (run.stopped !== 'budget' || !isProgress || !hasRoom(await spent(), context)) return run
  }
}

function hasRoom(costs: KnownCosts, { max_cost_usd = 0 }: MeasureContext): boolean {
  const mean = meanCost(costs)
  return mean !== undefined && costs.usd + (costs.unknown + 1) * mean <= max_cost_usd + 1e-9
}

async function measureOnce(measurement: Measurement, spent: KnownCosts, context: MeasureContext): Promise<MeasuredRun> {
  const { suite, redactor, observer, signal, workers, timeout_seconds, max_cost_usd, command, host } = context
  const runs_folder = context.session.runsFolder(measurement.part)
  const folders = { ...context.folders, runs_folder }
  const plan = await planOf(measurement, context)
  const request = { paths: [suite.file], workers, timeout_seconds, max_cost_usd, command }
  const resumes = await begunRun(runs_folder, host)
  const run = { request, folders, resumes, signal, observer, spent: max_cost_usd === undefined ? undefined : spent }
  const { folder, stopped, problem } = await recordRun({ plan, redactor }, run, host)
  if (problem) throw problem
  await removeWorkspaces(folder.results(), host)
  const isWhole = folder.index.size >= folder.planned
  const facts = [...folder.facts()]
  return { outcome: outcomeOf(folder), facts, path: folder.path, stopped: isWhole ? undefined : stopped }
}

/** The run in a folder, if it was begun. Attempts that never reached the agent are made again. */
async function begunRun(runsFolder: string, host: Host): Promise<ResumableRun | undefined> {
  const id = await latestRun(runsFolder, host)
  const folder = id === undefined ? undefined : join(runsFolder, id)
  const info = folder === undefined ? undefined : await readRunInfo(folder, host)
  return folder === undefined || !info ? undefined : { folder, info, rerun_failed: false, remakes_unreached: true }
}

async function planOf(measurement: Measurement, { suite, queries, host }: MeasureContext): Promise<Plan> {
  const { part, targets, control, trials } = measurement
  const wanted = new Set(queries.filter(query => query.part === part).map(({ id }) => String(id)))
  const selected = [{ suite, tests: suite.tests.filter(({ id }) => wanted.has(id)) }]
  const controls: Arm[] = control ? [{ target: control, is_control: true }] : []
  const arms: readonly Arm[] = [...controls, ...targets.map(target => ({ target }))]
  return makePlan({
    selected,
    skipped: [],
    armsOf: () => arms,
    judgeOf: () => undefined,
    judges: [],
    hashes: await hashFiles(selected, host),
    contents: await targetContents(
      arms.map(({ target }) => [suite, target]),
      host,
    ),
    available_tests: suite.tests.length,
    trials,
  })
}

/** Removes the workspaces that a run keeps for you to inspect: these were empty. */
async function removeWorkspaces(
  results: Iterable<{ readonly workspace_path?: string | undefined }>,
  host: Host,
): Promise<void> {
  for (const { workspace_path } of results)
    if (workspace_path !== undefined) await host.files.removeTemporaryFolder(workspace_path).catch(() => {})
}
