import type { Part, Path } from './location.ts'

/** Codes of problems that evaluators and providers find before the run. */
export type IssueCode =
  | 'bad-regex'
  | 'bad-json-schema'
  | 'unknown-variable'
  | 'unknown-name'
  | 'unknown-path'
  | 'duplicate-rubric'
  | 'bad-range'
  | 'zero-weights'
  | 'bad-expected'
  | 'bad-date-format'
  | 'unread-setting'
  | 'file-missing'
  | 'bad-target'

export interface Issue {
  readonly code: IssueCode
  /** Default: the severity of the code. */
  readonly severity?: 'warning'
  /** Path of the field in the check or target. */
  readonly path: Path
  readonly part?: Part
  readonly message: string
  readonly hint?: string
  /** The location in a file that the check names, in place of `path`. */
  readonly inFile?: { readonly file: string; readonly offset: number; readonly length: number }
}
