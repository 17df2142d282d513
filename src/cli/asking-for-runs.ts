import { printable } from '../lib/printable.ts'
import type { Host } from '../model/host.ts'
import { findRun, NoRun } from '../record/find-run.ts'
import { type OpenRun, readRun } from '../record/read-run.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { terminal } from './terminal/terminal.ts'

/** Does something with runs. One that is not there, or cannot be used, is the user's mistake and said as such. */
export async function askingForRuns(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof NoRun)) throw error
    terminal.err(`${printable(error.message)}\n`)
    return EXIT.mistakes
  }
}

/** Opens a run that the user names. What cannot be read of it is said. */
export async function openRun(run: string, runsFolder: string, host: Host): Promise<OpenRun> {
  const reader = await readRun(await findRun(run, runsFolder, host), host)
  if (reader.damaged > 0) terminal.err(`${printable(run)}: ${reader.damaged} damaged lines are left out.\n`)
  return reader
}
