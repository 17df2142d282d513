import { printable, printableLine, workflowCommand } from '../../lib/text/escape.ts'
import type { Diagnostic } from '../diagnostic.ts'

/** Diagnostics as workflow commands, which GitHub shows at the lines of a pull request. */
export function renderGithub(diagnostics: readonly Diagnostic[], formatPath: (file: string) => string): string {
  return diagnostics
    .map(({ severity, file, line, column, length, code, message, hint }) => {
      const range = { line: String(line), col: String(column), endColumn: String(column + length) }
      const text = hint === undefined ? message : `${message}\nhint: ${hint}`
      return workflowCommand(
        severity,
        { file: printableLine(formatPath(file)), ...range, title: code },
        printable(text),
      )
    })
    .join('')
}
