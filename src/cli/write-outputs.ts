import { extname, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { UserError } from '../model/user-error.ts'
import { reporters } from '../report/index.ts'
import type { Reporter } from '../report/reporter.ts'
import { writeFile } from './write-report.ts'

/** Says before the run what could not be written after it. */
export async function checkOutputs(files: readonly string[] = [], host: Host): Promise<void> {
  for (const file of files) {
    reporterFor(file)
    const stat = await host.files.stat(resolve(host.cwd, file)).catch(() => undefined)
    if (stat?.kind === 'folder') throw new UserError(`Cannot write ${file}: it is a folder.`)
    if (stat?.kind === 'other') throw new UserError(`Cannot write ${file}: it is not a regular file.`)
  }
}

/** Writes each report that was asked for; where some cannot be, the others, and then says why. */
export async function writeOutputs(files: readonly string[] = [], run: RunReader, host: Host): Promise<void> {
  const problems: unknown[] = []
  for (const file of files) await writeFile(reporterFor(file), run, file, host).catch(error => problems.push(error))
  if (problems.length > 0) throw problems[0]
}

/** The report that the ending of a file asks for. */
export function reporterFor(file: string): Reporter {
  const reporter = reporters.find(({ ending }) => ending !== undefined && extname(file) === ending)
  if (reporter) return reporter
  const endings = reporters.flatMap(({ ending }) => ending ?? []).join(', ')
  throw new UserError(`Cannot write ${file}: the endings are ${endings}.`)
}
