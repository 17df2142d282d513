import { type Palette, PLAIN } from '../../lib/palette.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Diagnostic } from '../diagnostic.ts'

/** Formats a diagnostic for people: location, message, lines with a caret, and hint. */
export function renderText(diagnostic: Diagnostic, path: string, palette: Palette = PLAIN): string {
  const { code, severity, line, column, message, hint } = diagnostic
  const paint = palette[severity]
  const head = `${palette.strong(`${printableLine(path)}:${line}:${column}`)} ${paint(severity)} ${palette.faint(code)}`
  return [
    head,
    `  ${printableLine(message)}`,
    ...frameLines(diagnostic, palette),
    ...hintLines(hint, palette),
    '',
  ].join('\n')
}

function frameLines({ frame, severity }: Diagnostic, palette: Palette): string[] {
  if (!frame) return []
  const gutter = String(frame.lines.at(-1)?.number ?? 0).length
  const numbered = frame.lines.map(({ number, text }) => {
    const margin = palette.faint(`${String(number).padStart(gutter)} |`)
    return `  ${margin} ${text}`.trimEnd()
  })
  const caret = palette[severity]('^'.repeat(frame.caret.width))
  return [...numbered, `  ${palette.faint(`${' '.repeat(gutter)} |`)} ${' '.repeat(frame.caret.indent)}${caret}`]
}

function hintLines(hint: string | undefined, palette: Palette): string[] {
  return hint === undefined ? [] : [`  ${palette.strong('hint:')} ${printableLine(hint)}`]
}

/** `3 errors, 1 warning`. */
export function formatCounts(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  return `${plural(errors, 'error')}, ${plural(warnings, 'warning')}`
}
