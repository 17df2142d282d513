import type { CodeFrame } from './code-frame.ts'
import { CODES, type DiagnosticCode, type Severity } from './codes.ts'

/** A problem in a file, with its location. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: Severity
  /** Absolute path. */
  readonly file: string
  /** From 1, as the column is. */
  readonly line: number
  readonly column: number
  readonly length: number
  readonly message: string
  readonly hint?: string
  /** The lines around it; absent for a file that could not be read. */
  readonly frame?: CodeFrame
}

/** Turns warnings into errors. */
export function warningsAsErrors(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.map(diagnostic => ({ ...diagnostic, severity: 'error' }))
}

export function severityOf(code: DiagnosticCode): Severity {
  return CODES[code].severity
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}
