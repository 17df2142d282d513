import type { DiagnosticCode } from '../diagnostics/codes.ts'
import type { Origin, Part } from '../model/location.ts'

/** What stands in the way of another format, or is lost in it, and where. */
export interface TranspileIssue {
  readonly code: DiagnosticCode
  readonly at: Origin
  readonly part?: Part
  readonly message: string
  readonly hint?: string
}
