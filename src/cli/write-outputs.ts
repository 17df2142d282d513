import { printableLine } from '../lib/text/escape.ts'
import type { RunReader } from '../model/run-reader.ts'
import { writeReports } from '../operations/write-reports.ts'
import type { ReportOptions } from '../report/reporter.ts'
import type { CommandContext } from './command-context.ts'

/** Writes the reports of `-o` and prints where; throws afterwards where one could not be written. */
export async function writeOutputs(
  files: readonly string[] | undefined,
  run: RunReader,
  { host, terminal }: CommandContext,
  options: ReportOptions = {},
): Promise<void> {
  const { paths, problem } = await writeReports(files, run, host, options)
  for (const path of paths) terminal.err(`wrote ${printableLine(terminal.path(path))}\n`)
  if (problem !== undefined) throw problem
}
