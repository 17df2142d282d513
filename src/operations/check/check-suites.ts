import { hasErrors } from '../../diagnostics/diagnostic.ts'
import type { Host } from '../../model/host.ts'
import type { FoundFiles } from '../../parse/find-files.ts'
import type { LoadResult } from '../../parse/load-files.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { listSuites } from '../load-suites.ts'
import { askJudges, type JudgedSuites } from './ask-judges.ts'
import type { ReadyJudging } from './judging-plan.ts'
import { type RecordedVerdicts, recordedVerdicts } from './recorded-verdicts.ts'
import { type Checked, tryout } from './tryout.ts'

export interface CheckOptions {
  /** Files, folders or globs. Default: what the configuration names, else the current folder. */
  readonly paths?: readonly string[] | undefined
  /** Whether programs that judge are started. */
  readonly programs?: boolean | undefined
  /** How many of the newest runs are read; 0: none. Default: 20. */
  readonly runs?: number | undefined
  readonly runs_dir?: string | undefined
  /** A plan to ask judges, of the same suites. Default: none is asked. */
  readonly judging?: ReadyJudging | undefined
  /** Budget for judges in US dollars. */
  readonly max_cost_usd?: number | undefined
  /** Called after each test. */
  readonly onTest?: ((done: number, total: number) => void) | undefined
}

export interface CheckedSuites extends Checked {
  readonly found: FoundFiles
  readonly loaded: LoadResult
  /** Whether the suites have errors; those are not tried. */
  readonly has_errors: boolean
  /** What recorded runs show; undefined if none was read. */
  readonly recorded: RecordedVerdicts | undefined
  /** What judges said; undefined if none was asked. */
  readonly judged: JudgedSuites | undefined
}

const DEFAULT_RUNS = 20

/** Tries the checks and tests of suites, without a target: does the suite itself work? */
export async function checkSuites(options: CheckOptions, host: Host): Promise<CheckedSuites> {
  const { paths = [], judging, runs = DEFAULT_RUNS, runs_dir } = options
  const { found, loaded } = await listSuites(paths, host)
  const { runs_folder } = await findProjectFolders(runs_dir, host)
  const { suites } = loaded
  const judged = judging && (await askJudges(judging, options, host))
  const checked = await tryout(suites, { ...options, judged }, host)
  const recorded = runs > 0 ? await recordedVerdicts(suites, { runs_folder, newest: runs }, host) : undefined
  return { ...checked, found, loaded, has_errors: hasErrors(loaded.diagnostics), recorded, judged }
}
