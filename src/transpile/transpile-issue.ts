import type { DiagnosticCode } from '../diagnostics/codes.ts'
import type { Origin, Part } from '../model/location.ts'

/** A problem of converting a suite into another format, with its location. */
export interface TranspileIssue {
  readonly code: DiagnosticCode
  readonly at: Origin
  readonly part?: Part
  readonly message: string
  readonly hint?: string
}
