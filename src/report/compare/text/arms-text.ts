import type { Palette } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { renderTable } from '../../../lib/text/table.ts'
import { type ArmSection, armSections } from '../arms.ts'
import type { Comparison } from '../comparison.ts'
import { listTexts } from './test-lists-text.ts'
import { paintVerdict } from './verdict-text.ts'

/** Answers whether each target is better than its control arm; `quiet` prints only the verdicts. */
export function armsText(comparisons: readonly Comparison[], palette: Palette, quiet = false): string {
  const blocks = armSections(comparisons).map(section => {
    const { title, verdict, verdict_text } = section
    const last = `${paintVerdict(verdict, palette)}${verdict_text.slice(verdict.length)}\n`
    return `${palette.strong(printableLine(title))}\n${quiet ? '' : sectionText(section, palette)}${last}`
  })
  return blocks.join('\n')
}

function sectionText({ before, after, metrics, notes, lists }: ArmSection, palette: Palette): string {
  const rows = metrics.map(metric => [metric.name, metric.before, metric.after, metric.difference])
  const table =
    metrics.length === 0 ? '' : renderTable([['', ...[before, after].map(printableLine), 'difference'], ...rows], 4)
  return `${table}${notes.map(note => `${note}\n`).join('')}${listTexts(lists, palette)}`
}
