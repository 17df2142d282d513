import { markdownText } from '../../markdown/markdown-text.ts'
import { tableMarkdown } from '../../slices/slices-markdown.ts'
import { listMarkdown, sectionMarkdown } from '../text/section-markdown.ts'
import type { ComparisonFormatter } from './comparison-formatter.ts'
import { type ComparedPart, type PageParts, pageParts } from './page-parts.ts'

/** Fit for a comment on a pull request: the result first, tables, and lists of tests that unfold. */
export const markdown: ComparisonFormatter = (compared, gates) => {
  const { notes, gate, comparisons } = pageParts(compared, gates)
  const blocks = [
    ...(gate ? [gateMarkdown(gate)] : []),
    ...(notes.length > 0 ? [`${notes.map(markdownText).join('  \n')}\n`] : []),
    ...comparisons.map(comparisonMarkdown),
  ]
  return blocks.join('\n')
}

function gateMarkdown({ text, list }: NonNullable<PageParts['gate']>): string {
  return `**${markdownText(text)}**\n${list.lines.length > 0 ? listMarkdown(list) : ''}`
}

function comparisonMarkdown({ title, slices, ...section }: ComparedPart): string {
  const sliced = slices ? `\n${tableMarkdown(slices)}` : ''
  return `${sectionMarkdown(title, section)}${sliced}`
}
