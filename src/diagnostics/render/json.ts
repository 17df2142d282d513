import { terminalSafeJson } from '../../lib/text/escape.ts'
import type { Diagnostic } from '../diagnostic.ts'

/** Diagnostics as one JSON document. */
export function renderJson(diagnostics: readonly Diagnostic[], formatPath: (file: string) => string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const report = {
    errors,
    warnings: diagnostics.length - errors,
    diagnostics: diagnostics.map(diagnostic => diagnosticData(diagnostic, formatPath)),
  }
  return terminalSafeJson(`${JSON.stringify(report, null, 2)}\n`)
}

/** A diagnostic for programs, without its frame. */
export function diagnosticData({ frame, file, ...rest }: Diagnostic, formatPath: (file: string) => string) {
  return { file: formatPath(file), ...rest }
}
