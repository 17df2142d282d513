import type { Diagnostic } from '../diagnostic.ts'

/** Diagnostics as workflow commands, which GitHub shows at the lines of a pull request. */
export function renderGithub(diagnostics: readonly Diagnostic[], shown: (file: string) => string): string {
  return diagnostics
    .map(({ severity, file, line, column, length, code, message, hint }) => {
      const properties = Object.entries({
        file: shown(file),
        line,
        col: column,
        endColumn: column + length,
        title: code,
      }).map(([name, value]) => `${name}=${property(String(value))}`)
      const text = hint === undefined ? message : `${message}\nhint: ${hint}`
      return `::${severity} ${properties.join(',')}::${data(text)}\n`
    })
    .join('')
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
