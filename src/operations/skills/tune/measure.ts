import type { Arm } from '../../../model/attempt.ts'
import type { Host } from '../../../model/host.ts'
import type { Plan } from '../../../model/plan.ts'
import type { Suite } from '../../../model/suite.ts'
import type { Target } from '../../../model/target.ts'
import type { Part, TuningQuery } from '../../../model/tuning.ts'
import { hashFiles, targetContents } from '../../../plan/file-hashes.ts'
import { makePlan } from '../../../plan/make-plan.ts'
import { type MeasureContext, type MeasuredRun, measurePlan } from '../../proposals/measure-plan.ts'
import type { SessionFolder } from './session-folder.ts'

/** What all measurements of a session share. */
export interface TuningContext extends MeasureContext {
  readonly session: SessionFolder
  readonly suite: Suite
  readonly queries: readonly TuningQuery[]
}

/** What is asked: a part of the queries, on targets that differ in the description. */
export interface TuningMeasurement {
  readonly part: Part
  readonly targets: readonly Target[]
  /** The target that the others are compared with. */
  readonly control?: Target
  readonly trials: number
}

/** Makes the attempts that are not recorded yet. */
export async function measure(measurement: TuningMeasurement, context: TuningContext): Promise<MeasuredRun> {
  const { suite, session, host } = context
  const runs_folder = session.runsFolder(measurement.part)
  const plan = await planOf(measurement, context)
  const run = await measurePlan({ plan, paths: [suite.file], runs_folder }, context)
  await removeWorkspaces(run.results(), host)
  return run
}

async function planOf(measurement: TuningMeasurement, { suite, queries, host }: TuningContext): Promise<Plan> {
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
