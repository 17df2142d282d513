import { resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { UserError } from '../model/user-error.ts'
import { reporters } from '../report/index.ts'
import type { Reporter } from '../report/reporter.ts'
import { text } from '../report/text.ts'
import { orCannotWrite, reporterFor, reportText, writeReportFile, writeReportFolder } from './write-reports.ts'

export interface ReportOptions {
  /** The type of the reporter. Default: by the extension of the output, else text. */
  readonly format?: string | undefined
  /** The file, or for a report of many files the folder. */
  readonly output?: string | undefined
  /** For reporters that take them: the target with the skill, then the one without. */
  readonly targets?: readonly string[] | undefined
}

/** A report that is ready to be printed, or was written. */
export type Report =
  /** Its text, with control characters replaced as its reporter wants for terminals. */
  | { readonly kind: 'text'; readonly texts: Iterable<string> }
  | { readonly kind: 'written'; readonly path: string }
  | { readonly kind: 'empty' }

/** The reporter that the options name. */
export function chooseReporter({ format, output, targets }: ReportOptions): Reporter {
  const named = reporters.find(({ type }) => type === format)
  const reporter = named ?? (output === undefined ? text : reporterFor(output))
  if (reporter.folder !== undefined && output === undefined)
    throw new UserError(`--format ${reporter.type} writes many files: say with -o into which folder.`)
  if (targets && !reporter.chooses_targets)
    throw new UserError(`--format ${reporter.type} is about all targets: leave --target out.`)
  return reporter
}

/** Makes the report of a run: as text, or in a file or folder. */
export async function makeReport(
  reporter: Reporter,
  run: RunReader,
  { output, targets }: ReportOptions,
  host: Host,
): Promise<Report> {
  const problem = reporter.problem?.(run, { targets })
  if (problem !== undefined) throw new UserError(problem)
  if (output === undefined) return { kind: 'text', texts: harmlessTexts(reporter, run) }
  if (reporter.folder === undefined)
    return { kind: 'written', path: await writeReportFile(reporter, run, output, host) }
  const path = await writeReportFolder(reporter, run, { targets }, output, host)
  return path === undefined ? { kind: 'empty' } : { kind: 'written', path }
}

function* harmlessTexts(reporter: Reporter, run: RunReader): Generator<string> {
  for (const text of reportText(reporter, run)) yield reporter.harmless?.(text) ?? text
}

/** Appends the companion of a report to the file that a variable names, where it is set. */
export async function appendCompanion({ besides }: Reporter, run: RunReader, host: Host): Promise<void> {
  const path = besides && host.env[besides.variable]
  if (!besides || !path) return
  const file = resolve(host.cwd, path)
  await orCannotWrite(path, async () => {
    const isThere = (await host.files.stat(file)) !== undefined
    const there = isThere ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(await host.files.read(file)) : ''
    const end = there === '' || there.endsWith('\n') ? '' : '\n'
    await host.files.write(file, `${there}${end}${[...reportText(besides.reporter, run)].join('')}`)
  })
}
