import { basename, dirname } from 'node:path'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { findRun } from '../../record/find-run.ts'
import { findProjectFolders, type ProjectFolders } from '../../record/project-folders.ts'
import { displayPath } from '../display-path.ts'
import { openView, type View } from './view-routes.ts'

export interface ViewRequest {
  /** The run to show first: its id, the beginning of it, `latest`, or its folder. */
  readonly run?: string | undefined
  /** Where runs are kept. Default: `.assay/runs`. */
  readonly runs_dir?: string | undefined
}

export interface OpenView {
  readonly view: View
  readonly runs_folder: string
  /** The id of the run to show first. */
  readonly run: string | undefined
  readonly has_runs: boolean
}

/** Opens the view of the project. Throws where the run is not among its runs. */
export async function openProjectView({ run, runs_dir }: ViewRequest, host: Host): Promise<OpenView> {
  const folders = await findProjectFolders(runs_dir, host)
  const { runs_folder } = folders
  const id = run === undefined ? undefined : await runIn(run, folders, host)
  const view = openView(folders, host)
  return { view, runs_folder, run: id, has_runs: id !== undefined || (await view.hasRuns()) }
}

async function runIn(name: string, { runs_folder }: ProjectFolders, host: Host): Promise<string> {
  const { folder, results } = await findRun(name, runs_folder, host)
  const home = dirname(folder)
  if (basename(results) !== 'results.jsonl' || home !== runs_folder)
    throw new UserError(
      `${displayPath(results, host)} is not among the runs in ${displayPath(runs_folder, host)}.`,
      'Name the folder that its run folder is in with --runs-dir.',
    )
  return basename(folder)
}
