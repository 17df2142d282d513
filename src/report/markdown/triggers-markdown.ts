import { truncate } from '../../lib/text/quote.ts'
import type { TriggerTable } from '../trigger-table.ts'
import { markdownText } from './markdown-text.ts'

/** Longest name of a skill on a target, or of a query. */
const LONGEST_NAME = 200

/** Formats the trigger rates of a skill: its figures, a row for each query, and notes. */
export function triggersMarkdown({ title, figures, header, rows, notes }: TriggerTable): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |\n`
  const lines = [`**${cell(title)}**: ${figures.map(markdownText).join('; ')}\n\n`, line(header), '|---|---|---|---|\n']
  return [...lines, ...rows.map(line), ...notes.map(note => `\n${markdownText(note)}\n`)].join('')
}

function cell(text: string): string {
  return markdownText(truncate(text, LONGEST_NAME))
}
