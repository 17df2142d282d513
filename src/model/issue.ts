import type { DiagnosticCode } from '../diagnostics/codes.ts'
import type { Part, Path } from './location.ts'

/** A problem that an evaluator finds in a check, or a provider in a target, before anything runs. */
export interface Issue {
  readonly code: DiagnosticCode
  /** Defaults to the severity of the code. */
  readonly severity?: 'warning'
  /** The path in the fields of the check or target. */
  readonly path: Path
  readonly part?: Part
  readonly message: string
  readonly hint?: string
  /** The location in a file that the check names, instead of the path. */
  readonly inFile?: { readonly file: string; readonly offset: number; readonly length: number }
}
