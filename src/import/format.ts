import type { Origin } from '../model/location.ts'
import type { Result } from '../model/result.ts'
import type { ImportFiles } from './import-files.ts'
import type { Counted, ImportNotes } from './import-notes.ts'
import type { Written } from './written.ts'

/** A format of other tools that `assay import` reads. One format is one folder, and one line in the list. */
export interface ImportFormat {
  /** Its name on the command line. */
  readonly name: string
  /** What a file of the format is, for people: `a promptfoo configuration`. */
  readonly title: string
  /** Whether a file found in a folder may be of this format, by its name: only such files are opened. */
  isCandidate(name: string): boolean
  /** Whether the content of a file is of this format. */
  recognise(source: ImportSource): boolean
  convert(source: ImportSource, context: ImportContext): Promise<Imported>
}

/** The file to import. */
export interface ImportSource {
  /** Absolute path. */
  readonly file: string
  /** The beginning of a file that is not text; empty for text. */
  readonly bytes: Uint8Array
  /** The parsed content of a YAML or JSON file, the lines of JSONL and the rows of CSV; undefined for anything else. */
  readonly document: Written | undefined
}

export interface ImportContext {
  readonly files: ImportFiles
  readonly notes: ImportNotes
  /** Absolute path of the folder that the suite is written to. */
  readonly output: string
  /** Whether there is a type of checks with this name. */
  hasType(type: string): boolean
}

/** What a file was converted to. */
export interface Imported {
  readonly suites?: readonly ImportedSuite[]
  readonly runs?: readonly ImportedRun[]
}

type Fields = Readonly<Record<string, unknown>>

/** A suite and what it needs. */
export interface ImportedSuite {
  /** What tells it apart from other suites of the same source: a part of its file name. Default: the source. */
  readonly stem?: string | undefined
  /** The keys of EVAL.yaml, without `tests`. */
  readonly suite: Fields
  readonly tests: readonly ImportedTest[]
  readonly targets: readonly Fields[]
  /** Files beside the suite, such as programs: their path from its folder, with `/`, and their text. */
  readonly programs: ReadonlyMap<string, string>
}

/** A test with the place that it comes from. */
export interface ImportedTest {
  readonly fields: Fields
  readonly at: Origin
  /** What it was counted as; undefined if it is written as skipped. */
  readonly counted?: Counted | undefined
  /** The table that it is a row of: such tests become rows of one test if they have the same checks. */
  readonly table?: string | undefined
}

/** A run of another tool. */
export interface ImportedRun {
  /** When the other tool started it. */
  readonly started: string
  readonly label: string
  readonly suite: string
  readonly targets: readonly Fields[]
  readonly results: readonly Result[]
  /** Number of attempts that were planned; more than there are results if the run was not finished. */
  readonly planned: number
}
