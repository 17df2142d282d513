import type { TranspileIssue } from './transpile-issue.ts'

/** A suite in another format. */
export interface TranspileResult {
  readonly files: readonly TranspiledFile[]
  readonly issues: readonly TranspileIssue[]
  readonly leftovers?: Leftovers
}

/** A file of another format. */
export interface TranspiledFile {
  /** Path in the output folder, with `/`. */
  readonly file: string
  readonly content: string
  /** Whether a text in its place is an earlier version, so that it may be overwritten. */
  isEarlier(text: string): boolean
  /** File that must be an earlier version too, if the text alone does not tell. */
  readonly beside?: string
}

/** How files of earlier versions of a suite are recognized in the output folder: their tests were removed or renamed. */
export interface Leftovers {
  isOurs(text: string): boolean
  /** Names of files without a mark, which are left over where another file in their folder is. */
  readonly companions: readonly string[]
}
