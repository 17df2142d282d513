import type { Diagnostic } from '../diagnostic.ts'

/** Diagnostics as one JSON document. */
export function renderJson(diagnostics: readonly Diagnostic[], shown: (file: string) => string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const report = {
    errors,
    warnings: diagnostics.length - errors,
    diagnostics: diagnostics.map(({ frame, file, ...rest }) => ({ file: shown(file), ...rest })),
  }
  return `${JSON.stringify(report, null, 2)}\n`
}
