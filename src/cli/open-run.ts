import { printable } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { CommandContext } from './command-context.ts'

/** Opens a run that the user names, and reports damaged lines. */
export async function openRun(run: string, runsDir: string | undefined, { host, terminal }: CommandContext) {
  const operation = await import('../operations/open-run.ts')
  const reader = await operation.openRun(run, runsDir, host)
  if (reader.damaged > 0) terminal.err(`${printable(run)}: ${plural(reader.damaged, 'damaged line')} left out.\n`)
  return reader
}
