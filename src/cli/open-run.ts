import { printable } from '../lib/printable.ts'
import type { Host } from '../model/host.ts'
import { findRun } from '../record/find-run.ts'
import { type OpenRun, readRun } from '../record/read-run.ts'
import { terminal } from './terminal/terminal.ts'

/** Opens a run that the user names. What cannot be read of it is said. */
export async function openRun(run: string, runsFolder: string, host: Host): Promise<OpenRun> {
  const reader = await readRun(await findRun(run, runsFolder, host), host)
  if (reader.damaged > 0) terminal.err(`${printable(run)}: ${reader.damaged} damaged lines are left out.\n`)
  return reader
}
