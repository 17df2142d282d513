import type { BaselineTest } from '../model/baseline.ts'
import type { Host } from '../model/host.ts'
import { isFilter } from '../model/test-filter.ts'
import type { Reference, TestStatus } from '../model/test-status.ts'
import { UserError } from '../model/user-error.ts'
import { statusOfTests } from '../plan/affected.ts'
import { baselinePath } from '../record/baseline-file.ts'
import { latestRun } from '../record/find-run.ts'
import type { ProjectFolders } from '../record/project-folders.ts'
import { recordedPathsFrom } from '../record/recorded-path.ts'
import { coverageOf } from './baselines/covered-tests.ts'
import { DEFAULT_BASELINE, readReference } from './baselines/saved-results.ts'
import { type PlannedRun, planRun } from './evaluate.ts'
import { resolveRun } from './run/resolve-run.ts'
import type { RunRequest } from './run/run-request.ts'
import type { Runtime } from './runtime.ts'

/** Which tests have a current result. */
export interface Status {
  readonly planned: PlannedRun
  /** Undefined where the suites or targets have errors. */
  readonly tests: readonly TestStatus[] | undefined
  /** What the tests were compared with. */
  readonly reference: Reference
  /** Saved results of tests that the suites do not have any more. */
  readonly gone: readonly BaselineTest[]
}

/** Compares the tests that a run would have with saved results: `against`, else the baseline `main`, else the last run. */
export async function statusOf(request: RunRequest, runtime: Runtime): Promise<Status> {
  const { host } = runtime
  const { request: complete, folders, config } = await resolveRun(request, host)
  const reference = await readReference(request.against ?? (await defaultReference(folders, host)), folders, host)
  const planned = await planRun(complete, runtime, { config, compared: folders })
  if (!planned.plan) return { planned, tests: undefined, reference, gone: [] }
  const tests = statusOfTests(planned.plan, reference, recordedPathsFrom(folders.root))
  const known = new Set(tests.flatMap(({ known }) => known ?? []))
  const others = reference.baseline.tests.filter(test => !known.has(test))
  // With a filter, a test that is not selected may still be there.
  const gone = isFilter(complete) || complete.targets ? [] : await goneTests(others, planned, folders.root, host)
  return { planned, tests, reference, gone }
}

/** The saved tests that the suites do not have any more. */
async function goneTests(
  saved: readonly BaselineTest[],
  { loaded, plan }: PlannedRun,
  root: string,
  host: Host,
): Promise<BaselineTest[]> {
  const recordedPath = recordedPathsFrom(root)
  const suites = new Set(loaded.suites.map(({ name }) => name))
  const paths = loaded.suites.flatMap(({ file, tests }) => [file, ...tests.map(({ at }) => at.file)])
  const skipped = (plan?.skipped ?? []).map(({ suite, test }) => {
    return { suite: suite.name, file: recordedPath(test.at.file), test_id: test.id }
  })
  const files = new Set([...new Set(paths)].map(recordedPath))
  const isGone = await coverageOf({ root, suites, targets: undefined, files, skipped }, saved, host)
  return saved.filter(isGone)
}

async function defaultReference({ settings_folder, runs_folder }: ProjectFolders, host: Host): Promise<string> {
  const path = baselinePath(settings_folder, DEFAULT_BASELINE)
  if (await host.files.stat(path).catch(() => undefined)) return DEFAULT_BASELINE
  if ((await latestRun(runs_folder, host)) !== undefined) return 'latest'
  throw new UserError(
    'There are no results yet: no run, and no baseline main.',
    'Run `assay eval` first, or name results with --against.',
  )
}
