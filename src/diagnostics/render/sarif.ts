import { terminalSafeJson } from '../../lib/text/escape.ts'
import { CODES, type DiagnosticCode } from '../codes.ts'
import type { Diagnostic } from '../diagnostic.ts'

/** Diagnostics as SARIF 2.1.0, for code scanning. */
export function renderSarif(
  diagnostics: readonly Diagnostic[],
  formatPath: (file: string) => string,
  version: string,
): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort()
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'assay', version, rules: codes.map(rule) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map(diagnostic => result(diagnostic, codes, formatPath)),
      },
    ],
  }
  return terminalSafeJson(`${JSON.stringify(log, null, 2)}\n`)
}

function rule(code: DiagnosticCode) {
  const { summary, fix, severity } = CODES[code]
  return {
    id: code,
    shortDescription: { text: summary },
    help: { text: fix },
    defaultConfiguration: { level: severity },
  }
}

function result(diagnostic: Diagnostic, codes: readonly DiagnosticCode[], formatPath: (file: string) => string) {
  const { code, severity, file, line, column, length, message, hint } = diagnostic
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: severity,
    message: { text: hint === undefined ? message : `${message}\nhint: ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uri(formatPath(file)) },
          region: { startLine: line, startColumn: column, endColumn: column + length },
        },
      },
    ],
  }
}

function uri(path: string): string {
  return path.split(/[\\/]/).map(encodeURIComponent).join('/')
}
