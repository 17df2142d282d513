import { plural } from '../../../lib/text/format.ts'
import { truncate } from '../../../lib/text/quote.ts'
import { markdownText } from '../../markdown/markdown-text.ts'
import { limitedLines } from '../../markdown/within-limit.ts'
import type { ComparisonSection } from './comparison-section.ts'
import type { TestList } from './test-lists.ts'
import { MAX_LISTED } from './test-lists-text.ts'

/** Formats a comparison as a heading, its verdict, a table, and lists of tests that unfold. */
export function sectionMarkdown(title: string, section: ComparisonSection): string {
  const { before, after, metrics, notes, lists, verdict, verdict_text } = section
  const reasons = verdict_text.slice(verdict.length)
  const rows = metrics.map(metric => [metric.name, metric.before, metric.after, metric.difference])
  const table = [['', before, after, 'difference'], ['---', '--:', '--:', '---'], ...rows]
  return [
    `### ${markdownText(title)}\n\n`,
    `**${verdict}**${markdownText(reasons)}\n\n`,
    ...(metrics.length === 0 ? [] : [...table.map(rowText), '\n']),
    `${notes.map(markdownText).join('  \n')}\n`,
    ...lists.map(listMarkdown),
  ].join('')
}

function rowText(cells: readonly string[], index: number): string {
  return `| ${(index === 1 ? cells : cells.map(markdownText)).join(' | ')} |\n`
}

const LONGEST_LINE = 300

/** Formats tests as a list that unfolds. */
export function listMarkdown({ label, lines }: TestList): string {
  const rows = lines.slice(0, MAX_LISTED).map(line => `- ${markdownText(truncate(line, LONGEST_LINE))}\n`)
  const listed = limitedLines(rows, lines.length, left => `- and ${left} more\n`)
  const summary = `${markdownText(label)}: ${plural(lines.length, 'test')}`
  return `\n<details><summary>${summary}</summary>\n\n${listed}\n</details>\n`
}
