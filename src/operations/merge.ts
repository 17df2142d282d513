import type { Host } from '../model/host.ts'
import { findRun } from '../record/find-run.ts'
import { mergeRuns } from '../record/merge-runs.ts'
import { findProjectFolders, isTrustedRun } from '../record/project-folders.ts'

export interface MergeOptions {
  readonly runs_dir?: string | undefined
  /** The command that merges, for `run.json`. */
  readonly command?: readonly string[] | undefined
}

export interface MergedRun {
  /** The folder of the new run. */
  readonly folder: string
  /** How many damaged lines of the shards are left out. */
  readonly damaged: number
}

/** Joins the shards of one plan into one run. */
export async function merge(runs: readonly string[], options: MergeOptions, host: Host): Promise<MergedRun> {
  const folders = await findProjectFolders(options.runs_dir, host)
  const { runs_folder } = folders
  const found = await Promise.all(runs.map(run => findRun(run, runs_folder, host)))
  const areOwn = await Promise.all(found.map(run => isTrustedRun(run, folders, host)))
  return mergeRuns(found, runs_folder, { isImported: areOwn.includes(false), command: options.command }, host)
}
