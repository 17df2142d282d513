import type { CodeFrame } from './code-frame.ts'
import { CODES, type DiagnosticCode, type Severity } from './codes.ts'

/** A mistake in a file, with its place. */
export interface Diagnostic {
  readonly code: DiagnosticCode
  readonly severity: Severity
  /** Absolute path. */
  readonly file: string
  /** From 1, like the column. */
  readonly line: number
  readonly column: number
  readonly length: number
  readonly message: string
  readonly hint?: string
  /** The lines around it; a file that could not be read has none. */
  readonly frame?: CodeFrame
}

/** Warnings count as errors. */
export function warningsAsErrors(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return diagnostics.map(diagnostic => ({ ...diagnostic, severity: 'error' }))
}

export function severityOf(code: DiagnosticCode): Severity {
  return CODES[code].severity
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}
