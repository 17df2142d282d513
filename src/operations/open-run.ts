import type { Host } from '../model/host.ts'
import { findRun } from '../record/find-run.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { type OpenRun, readRun } from '../record/read-run.ts'
import { RunError } from '../record/run-error.ts'

/** Opens a run by its id, the beginning of it, `latest`, its folder or its results. A file without one result is not a run. */
export async function openRun(run: string, runsDir: string | undefined, host: Host): Promise<OpenRun> {
  const { runs_folder } = await findProjectFolders(runsDir, host)
  const found = await findRun(run, runs_folder, host)
  const reader = await readRun(found, host)
  if (isNoRun(reader)) {
    reader.close()
    throw new RunError(`${found.results} is not the record of a run: it has no result that can be read.`)
  }
  return reader
}

/** Without `run.json`, only results show that it is a run. */
function isNoRun({ info, facts }: OpenRun): boolean {
  return info === undefined && [...facts()].length === 0
}
