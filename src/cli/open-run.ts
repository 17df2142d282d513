import { printable } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import { findRun } from '../record/find-run.ts'
import { type OpenRun, readRun } from '../record/read-run.ts'
import { RunError } from '../record/run-error.ts'
import { terminal } from './terminal/terminal.ts'

/** Opens a run that the user names. What cannot be read of it is said; a file without one result is not a run. */
export async function openRun(run: string, runsFolder: string, host: Host): Promise<OpenRun> {
  const found = await findRun(run, runsFolder, host)
  const reader = await readRun(found, host)
  if (isNoRun(reader)) {
    reader.close()
    throw new RunError(`${found.results} is not the record of a run: it has no result that can be read.`)
  }
  if (reader.damaged > 0) terminal.err(`${printable(run)}: ${plural(reader.damaged, 'damaged line')} left out.\n`)
  return reader
}

/** Without \`run.json\`, only results show that it is a run. */
function isNoRun({ info, facts }: OpenRun): boolean {
  return info === undefined && [...facts()].length === 0
}
