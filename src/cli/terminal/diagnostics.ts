import type { Diagnostic } from '../../diagnostics/diagnostic.ts'
import { formatCounts, renderText } from '../../diagnostics/render/text.ts'
import type { Palette } from '../../lib/palette.ts'
import { plural } from '../../lib/text/format.ts'

/** How many warnings of one kind are shown in full. */
const WARNINGS_SHOWN = 10

/** Files that were checked, with what was found in them. */
export interface CheckedFiles {
  readonly diagnostics: readonly Diagnostic[]
  readonly suites: readonly { readonly tests: readonly unknown[] }[]
  /** How many files. */
  readonly files: number
}

/** All diagnostics with their frames, then the count. `path` shows a path to people. */
export function diagnosticsText(
  { diagnostics, suites, files }: CheckedFiles,
  path: (file: string) => string,
  palette: Palette,
): string {
  const tests = suites.reduce((sum, suite) => sum + suite.tests.length, 0)
  const scope = `${plural(files, 'file')} checked`
  const clean = `No problems: ${scope}, ${plural(suites.length, 'suite')} with ${plural(tests, 'test')}.`
  return problemsText({ diagnostics, scope, clean }, path, palette)
}

/** What was found in whatever was checked. */
interface Problems {
  readonly diagnostics: readonly Diagnostic[]
  /** How much was checked: `3 files checked`. */
  readonly scope: string
  /** The sentence without diagnostics. */
  readonly clean: string
}

/** All diagnostics with their frames, then the count, or that there are none. */
export function problemsText(
  { diagnostics, scope, clean }: Problems,
  path: (file: string) => string,
  palette: Palette,
): string {
  if (diagnostics.length === 0) return `${clean}\n`
  const { shown, left } = withoutFlood(diagnostics)
  const blocks = shown.map(diagnostic => `${renderText(diagnostic, path(diagnostic.file), palette)}\n`)
  const rest = [...left].map(
    ([code, count]) => `and ${plural(count, `more ${code} warning`)} (--format json shows all)\n`,
  )
  const affected = new Set(diagnostics.map(({ file }) => file)).size
  return `${blocks.join('')}${rest.join('')}${formatCounts(diagnostics)} in ${plural(affected, 'file')} (${scope})\n`
}

/** Shows the first warnings of each code, and counts the others. Errors are always shown. */
function withoutFlood(diagnostics: readonly Diagnostic[]): { shown: Diagnostic[]; left: Map<string, number> } {
  const seen = new Map<string, number>()
  const left = new Map<string, number>()
  const shown = diagnostics.filter(({ severity, code }) => {
    if (severity === 'error') return true
    seen.set(code, (seen.get(code) ?? 0) + 1)
    if ((seen.get(code) ?? 0) <= WARNINGS_SHOWN) return true
    left.set(code, (left.get(code) ?? 0) + 1)
    return false
  })
  return { shown, left }
}
