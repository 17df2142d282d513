import type { Calibration } from '../model/calibration.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { Against } from './compare/against.ts'

/** Renders a run in one format. The same records always give the same bytes. */
export interface Reporter {
  /** Name for `--format`. */
  readonly type: string
  readonly summary: string
  /** Name of the numbered folder, for a report with several files. */
  readonly folder?: string
  /** Name of its file, for a report that may be written into a folder. */
  readonly file?: string
  /** Whether `--target` selects targets. */
  readonly accepts_targets?: true
  /** Whether it copies files of workspaces. */
  readonly copies_files?: true
  /** Whether it shows images of the input. */
  readonly shows_images?: true
  /** Whether `--by` adds slices. */
  readonly accepts_by?: true
  /** Whether `--against` adds the comparison with saved results. */
  readonly accepts_against?: true
  /** Whether prompts and answers are left out unless `--otel-content` is given. */
  readonly accepts_content?: true
  /** Explains why the report cannot be written. */
  problem?(run: RunReader, options: ReportOptions): string | undefined
  /** Notes for the terminal, such as what was left out. */
  notes?(run: RunReader, options: ReportOptions): readonly string[]
  render(run: RunReader, options?: ReportOptions): Iterable<ReportFile>
  /** Companion report, appended to the file in an environment variable if it is set. */
  readonly companion?: { readonly variable: string; readonly reporter: Reporter }
  /** Makes its text safe to print on a terminal. */
  terminalSafe?(text: string): string
}

/** Options of a report besides its format. */
export interface ReportOptions {
  /** Names of targets, in the given order. */
  readonly targets?: readonly string[] | undefined
  /** What to slice by, for reporters that accept it: `tag`, `suite`, `target` or `metadata.KEY`. */
  readonly by?: string | undefined
  /** Saved results to compare with, for reporters that accept them. */
  readonly against?: Against | undefined
  /** Files of workspaces that are still there, for reporters that copy them. */
  readonly kept?: KeptFiles | undefined
  /** Images of the input, for reporters that show them. */
  readonly images?: ReportImages | undefined
  /** Whether prompts and answers are included, for reporters that leave them out otherwise. */
  readonly content?: boolean | undefined
  /** The calibrations of the project, which correct pass rates. */
  readonly calibrations?: readonly Calibration[] | undefined
}

/** Changed files of each attempt that its workspace still has as they were recorded: their paths by attempt id. */
export type KeptFiles = ReadonlyMap<string, ReadonlySet<string>>

/** Image files that tests name, by the hash of their content. */
export type ReportImages = ReadonlyMap<string, ReportImage>

/** An image, or why it cannot be shown. */
export type ReportImage = { readonly type: string; readonly bytes: Uint8Array } | { readonly problem: string }

export interface ReportFile {
  /** Path relative to the report folder, with `/`; undefined for a single file. */
  readonly path?: string
  readonly text: Iterable<string>
  /** The file to copy in place of a text, and the SHA-256 of its content. */
  readonly copy?: { readonly from: string; readonly hash: string }
}
