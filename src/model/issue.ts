import type { Part, Path } from './location.ts'

/** What an evaluator can find wrong in a check, or a provider in a target, before anything runs. */
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
  /** Default: that of the code. */
  readonly severity?: 'warning'
  /** Where in the fields of the check or target. */
  readonly path: Path
  readonly part?: Part
  readonly message: string
  readonly hint?: string
  /** Where the mistake stands inside a file that the check names, instead. */
  readonly inFile?: { readonly file: string; readonly offset: number; readonly length: number }
}
