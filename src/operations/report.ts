import { resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import type { RunReader } from '../model/run-reader.ts'
import { isFilter, type TestFilter } from '../model/test-filter.ts'
import { UserError } from '../model/user-error.ts'
import { filteredRun } from '../report/filtered-run.ts'
import { reportFormats } from '../report/index.ts'
import { NothingSelected } from '../report/nothing-selected.ts'
import type { ReportOptions as RenderOptions, Reporter } from '../report/reporter.ts'
import { sliceKey } from '../report/slices/slice-key.ts'
import { findKeptFiles } from './kept-files.ts'
import { formatFor, orCannotWrite, reportText, writeReportFile, writeReportFolder } from './write-reports.ts'

export interface ReporterChoice {
  /** The type of the reporter. Default: by the extension of the output, else text. */
  readonly format?: string | undefined
  /** The file, or for a report of many files the folder. */
  readonly output?: string | undefined
  /** For reporters that take them: the target with the skill, then the one without. */
  readonly targets?: readonly string[] | undefined
  /** For reporters that have slices: `tag`, `suite`, `target` or `metadata.KEY`. */
  readonly by?: string | undefined
  /** For reporters that compare: the saved results. */
  readonly against?: string | undefined
  /** For reporters that leave prompts and answers out otherwise. */
  readonly content?: boolean | undefined
}

/** What a report is made with. */
export type ReportOptions = Omit<ReporterChoice, 'format' | 'against'> & Pick<RenderOptions, 'against' | 'calibrations'>

/** A report that is ready to be printed, or was written. */
export type Report =
  /** Its text, with control characters replaced as its reporter wants for terminals. */
  | { readonly kind: 'text'; readonly texts: Iterable<string> }
  | { readonly kind: 'written'; readonly path: string }
  | { readonly kind: 'empty' }

/** Loads the reporter that the options name. */
export async function chooseReporter(choice: ReporterChoice): Promise<Reporter> {
  const { format, output, targets, by, against, content } = choice
  const named = reportFormats.find(({ type }) => type === format)
  const reporter = await (named ?? formatFor(output ?? 'report.txt')).load()
  if (reporter.folder !== undefined && output === undefined)
    throw new UserError(`--format ${reporter.type} writes several files: name a folder with -o.`)
  if (targets && !reporter.accepts_targets)
    throw new UserError(`--format ${reporter.type} covers all targets: remove --target.`)
  if (by !== undefined && !reporter.accepts_by)
    throw new UserError(`--format ${reporter.type} has no slices: remove --by.`)
  if (against !== undefined && !reporter.accepts_against)
    throw new UserError(`--format ${reporter.type} has no comparison: remove --against, or use \`assay compare\`.`)
  if (content && !reporter.accepts_content)
    throw new UserError(`--format ${reporter.type} has prompts and answers in any case: remove --otel-content.`)
  // Checked before a run is read.
  if (by !== undefined) sliceKey(by)
  return reporter
}

/** The tests of a run that a filter selects. */
export function selectTests(run: RunReader, filter: TestFilter): RunReader {
  if (!isFilter(filter)) return run
  const part = filteredRun(run, filter)
  if (!part) throw new NothingSelected(filter)
  return part
}

/** Makes the report of a run: as text, or in a file or folder. */
export async function makeReport(
  reporter: Reporter,
  run: RunReader,
  { output, targets, by, against, content, calibrations }: ReportOptions,
  host: Host,
): Promise<Report> {
  const problem = reporter.problem?.(run, { targets })
  if (problem !== undefined) throw new UserError(problem)
  const options = { targets, by, against, content, calibrations }
  if (output === undefined) return { kind: 'text', texts: terminalTexts(reporter, run, options) }
  if (reporter.folder === undefined)
    return { kind: 'written', path: await writeReportFile(reporter, run, { file: output, ...options }, host) }
  const kept = reporter.copies_files ? await findKeptFiles(run, host) : undefined
  const path = await writeReportFolder(reporter, run, { targets, kept }, output, host)
  return path === undefined ? { kind: 'empty' } : { kind: 'written', path }
}

function* terminalTexts(reporter: Reporter, run: RunReader, options: RenderOptions): Generator<string> {
  for (const text of reportText(reporter, run, options)) yield reporter.terminalSafe?.(text) ?? text
}

/** Appends the companion of a report to the file that a variable names, where it is set. */
export async function appendCompanion(
  { companion }: Reporter,
  run: RunReader,
  options: RenderOptions,
  host: Host,
): Promise<void> {
  const path = companion && host.env[companion.variable]
  if (!companion || !path) return
  const file = resolve(host.cwd, path)
  await orCannotWrite(path, async () => {
    const isThere = (await host.files.stat(file)) !== undefined
    const there = isThere ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(await host.files.read(file)) : ''
    const end = there === '' || there.endsWith('\n') ? '' : '\n'
    await host.files.write(file, `${there}${end}${[...reportText(companion.reporter, run, options)].join('')}`)
  })
}
