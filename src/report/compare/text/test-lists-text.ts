import type { Palette } from '../../../lib/palette.ts'
import type { TestList } from './test-lists.ts'

/** Maximum number of tests per list. */
export const MAX_LISTED = 20

/** Formats one line per test, with a label in front. */
export function listTexts(lists: readonly TestList[], palette: Palette): string {
  return lists.map(({ label, tone, lines }) => listText(label, lines, palette[tone])).join('')
}

function listText(label: string, lines: readonly string[], paint: (text: string) => string): string {
  const listed = lines.slice(0, MAX_LISTED).map(line => `  ${paint(label.padEnd(8))} ${line}\n`)
  const more = lines.length - listed.length
  return `${listed.join('')}${more > 0 ? `  ${' '.repeat(Math.max(8, label.length))} and ${more} more\n` : ''}`
}
