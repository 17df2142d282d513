import type { RunReader } from '../model/run-reader.ts'

/** One kind of report: records in, text out. The same records give the same bytes. */
export interface Reporter {
  /** What `--format` calls it. */
  readonly type: string
  readonly summary: string
  /** A report in one file: the ending of it. */
  readonly ending?: string
  /** A report in many files: the name of the folder that each one gets, with a number behind it. */
  readonly folder?: string
  /** Whether the targets that it is about can be chosen. */
  readonly chooses_targets?: true
  /** What stands in the way of it, in words. */
  problem?(run: RunReader, asked: ReportOptions): string | undefined
  /** What its reader should know and cannot see in it, such as what was left out. */
  notes?(run: RunReader, asked: ReportOptions): readonly string[]
  render(run: RunReader, asked?: ReportOptions): Iterable<ReportFile>
  /** Another report that goes along, into the file that a variable names, where it is set. */
  readonly besides?: { readonly variable: string; readonly reporter: Reporter }
  /** Its text without what could steer a terminal. */
  harmless?(text: string): string
}

/** What was asked for besides the kind of report. */
export interface ReportOptions {
  /** Names of targets, in the order in which they were given. */
  readonly targets?: readonly string[] | undefined
}

export interface ReportFile {
  /** From the folder of the report, with `/`; a report in one file has none. */
  readonly path?: string
  readonly text: Iterable<string>
}
