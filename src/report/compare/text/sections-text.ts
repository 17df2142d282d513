import type { Palette } from '../../../lib/palette.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { renderTable } from '../../../lib/text/table.ts'
import type { TitledSection } from './comparison-section.ts'
import { listTexts } from './test-lists-text.ts'
import { paintVerdict } from './verdict-text.ts'

/** Formats comparisons with their verdicts; `quiet` prints only the verdicts. */
export function sectionsText(sections: readonly TitledSection[], palette: Palette, quiet = false): string {
  const blocks = sections.map(section => {
    const { title, verdict, verdict_text } = section
    const last = `${paintVerdict(verdict, palette)}${verdict_text.slice(verdict.length)}\n`
    return `${palette.strong(printableLine(title))}\n${quiet ? '' : sectionText(section, palette)}${last}`
  })
  return blocks.join('\n')
}

function sectionText({ before, after, metrics, notes, lists }: TitledSection, palette: Palette): string {
  const rows = metrics.map(metric => [metric.name, metric.before, metric.after, metric.difference])
  const table =
    metrics.length === 0 ? '' : renderTable([['', ...[before, after].map(printableLine), 'difference'], ...rows], 4)
  return `${table}${notes.map(note => `${note}\n`).join('')}${listTexts(lists, palette)}`
}
