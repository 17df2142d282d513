import { Option } from 'commander'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { renderGithub } from '../diagnostics/render/github.ts'
import { renderJson } from '../diagnostics/render/json.ts'
import { renderSarif } from '../diagnostics/render/sarif.ts'
import { version } from '../operations/version.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { wholeNumber } from './options.ts'
import type { Terminal } from './terminal/terminal.ts'

const FORMATS = ['text', 'json', 'sarif', 'github'] as const

/** Options of commands whose output is diagnostics. */
export interface DiagnosticsOptions {
  readonly format: (typeof FORMATS)[number]
  readonly json?: boolean
  readonly strict?: boolean
  readonly maxWarnings?: number
}

export function formatOption(): Option {
  return new Option('--format <format>', 'output format').choices(FORMATS).default('text')
}

export function maxWarningsOption(): Option {
  return new Option('--max-warnings <n>', 'fail if there are more warnings than this').argParser(wholeNumber)
}

/** Renders diagnostics in the chosen format; `text` gives those for people. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  { format, json }: DiagnosticsOptions,
  terminal: Terminal,
  text: () => string,
): string {
  switch (json ? 'json' : format) {
    case 'json':
      return renderJson(diagnostics, terminal.path)
    case 'sarif':
      return renderSarif(diagnostics, terminal.path, version)
    case 'github':
      return renderGithub(diagnostics, terminal.path)
    case 'text':
      return text()
  }
}

export function diagnosticsExitCode(
  diagnostics: readonly Diagnostic[],
  maxWarnings = Number.POSITIVE_INFINITY,
): ExitCode {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  return errors > 0 || diagnostics.length - errors > maxWarnings ? EXIT.userError : EXIT.ok
}
