import { markdownText } from '../markdown/markdown-text.ts'
import type { SliceTable } from './slices-table.ts'

/** Formats a table of slices; the first two columns are words. */
export function tableMarkdown({ header, rows, more }: SliceTable): string {
  const rule = header.map((_, column) => (column < 2 ? '---' : '--:'))
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`
  const lines = [header.map(markdownText), rule, ...rows.map(row => row.map(markdownText))].map(line)
  return `${lines.join('')}${more > 0 ? `\nand ${more} more\n` : ''}`
}
