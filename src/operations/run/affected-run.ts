import type { Host } from '../../model/host.ts'
import type { Plan } from '../../model/plan.ts'
import type { RunInfo } from '../../model/run-info.ts'
import type { Reference, TestStatus } from '../../model/test-status.ts'
import { UserError } from '../../model/user-error.ts'
import { affectedPlan, statusOfTests } from '../../plan/affected.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { recordedPathsFrom } from '../../record/recorded-path.ts'
import { baselineOf } from '../../report/baseline/make-baseline.ts'
import type { ComparedRun } from '../../report/compare/compared-run.ts'
import { DEFAULT_BASELINE, readCompared, readReference } from '../baselines/saved-results.ts'
import type { RunRequest } from './run-request.ts'

/** A plan that leaves out tests whose saved results are current. */
export interface AffectedRun {
  readonly plan: Plan
  /** The status of every selected test. */
  readonly statuses: readonly TestStatus[]
}

/** Leaves only the affected tests in a plan. A resumed run carries over what it did before, where that is current. */
export async function planAffected(
  plan: Plan,
  request: RunRequest,
  folders: ProjectFolders,
  resumed: RunInfo | undefined,
  host: Host,
): Promise<AffectedRun> {
  const reference = resumed?.carried
    ? { name: resumed.carried.from, baseline: carriedBaseline(resumed) }
    : await readReference(request.against ?? DEFAULT_BASELINE, folders, host)
  const recordedPath = recordedPathsFrom(folders.root)
  const found = statusOfTests(plan, reference, recordedPath)
  // A run does not record why it runs a test.
  const isOpen = ({ state }: TestStatus) => resumed?.carried && state === 'new'
  const statuses = found.map(status => (isOpen(status) ? { ...status, reasons: [NOT_CARRIED] } : status))
  return { plan: affectedPlan(plan, statuses, reference, recordedPath), statuses }
}

const NOT_CARRIED = 'not carried over when the run began'

/** What a run carried over, as a baseline. */
function carriedBaseline(info: RunInfo): Reference['baseline'] {
  const nothing = { info, planned: 0, planned_tests: 0, facts: () => [], result: () => undefined, results: () => [] }
  return baselineOf(nothing)
}

/** The saved results that a run is compared with; undefined if it is compared with none. Read before anything is asked. */
export async function readAgainst(plan: Plan, request: RunRequest, host: Host): Promise<ComparedRun | undefined> {
  const { against, affected, runs_dir } = request
  const named = against ?? (affected ? DEFAULT_BASELINE : undefined)
  if (named === undefined) return undefined
  const filter = { test_ids: request.test_ids, tags: request.tags }
  const reference = await readCompared(named, { filter }, runs_dir, host)
  requireCommonTarget(plan, reference)
  return reference
}

/** Throws before a run where none of its targets could be compared. */
function requireCommonTarget({ attempts, carried }: Plan, { name, targets }: ComparedRun): void {
  const all = [...attempts, ...(carried?.attempts ?? [])].filter(({ is_control }) => !is_control)
  const names = new Set(all.map(({ target }) => target.name))
  if ([...names].some(target => targets.has(target)) || (names.size === 1 && targets.size === 1)) return
  throw new UserError(
    `${name} has no result of ${[...names].join(', ')}: nothing can be compared.`,
    `It has results of ${[...targets.keys()].join(', ')}.`,
  )
}
