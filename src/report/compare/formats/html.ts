import { hash } from 'node:crypto'
import { escapeXml, printableLine } from '../../../lib/text/escape.ts'
import type { ComparisonFormatter } from './comparison-formatter.ts'
import { type ComparedPart, type PageParts, pageParts } from './page-parts.ts'
import { STYLE } from './page-style.ts'

/** One static page: no scripts, nothing to download. */
export const html: ComparisonFormatter = (compared, gates) => {
  const { notes, gate, comparisons } = pageParts(compared, gates)
  return [
    PAGE_START,
    '<h1>Comparison</h1>\n',
    gate ? gateHtml(gate) : '',
    ...notes.map(note => `<p class="note">${safe(note)}</p>\n`),
    ...comparisons.map(comparisonHtml),
    '</main>\n</body>\n</html>\n',
  ].join('')
}

/** Text that cannot become markup, with invisible characters made visible. */
function safe(text: string): string {
  return escapeXml(printableLine(text))
}

function gateHtml({ text, passed, list }: NonNullable<PageParts['gate']>): string {
  return `<p class="gate ${passed ? 'good' : 'error'}">${safe(text)}</p>\n${listHtml(list)}`
}

function comparisonHtml(part: ComparedPart): string {
  const { title, before, after, metrics, notes, lists, verdict, verdict_text, slices } = part
  const rows = metrics.map(metric => [metric.name, metric.before, metric.after, metric.difference])
  return [
    `<section>\n<h2>${safe(title)}</h2>\n`,
    `<p><strong class="${verdict}">${verdict}</strong>${safe(verdict_text.slice(verdict.length))}</p>\n`,
    metrics.length === 0 ? '' : tableHtml(['figure', before, after, 'difference'], rows),
    ...notes.map(note => `<p>${safe(note)}</p>\n`),
    ...lists.map(listHtml),
    slices
      ? `${tableHtml(slices.header, slices.rows)}${slices.more > 0 ? `<p>and ${slices.more} more</p>\n` : ''}`
      : '',
    '</section>\n',
  ].join('')
}

/** Each cell names its column, which a narrow screen shows beside it. */
function tableHtml(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const heads = header.map(head => `<th scope="col">${safe(head)}</th>`).join('')
  const lines = rows.map(([name = '', ...cells]) => {
    const data = cells.map((cell, index) => `<td data-label="${safe(header[index + 1] ?? '')}">${safe(cell)}</td>`)
    return `<tr><th scope="row">${safe(name)}</th>${data.join('')}</tr>\n`
  })
  return `<table>\n<thead><tr>${heads}</tr></thead>\n<tbody>\n${lines.join('')}</tbody>\n</table>\n`
}

/** Maximum number of tests in a list; JSON has all of them. */
const MAX_LISTED = 500

function listHtml({ label, tone, lines }: PageListed): string {
  if (lines.length === 0) return ''
  const listed = lines.slice(0, MAX_LISTED).map(line => `<li>${safe(line)}</li>\n`)
  const more = lines.length > MAX_LISTED ? `<li>and ${lines.length - MAX_LISTED} more</li>\n` : ''
  const summary = `<summary class="${tone}">${safe(label)}: ${lines.length}</summary>`
  return `<details>${summary}\n<ul>\n${listed.join('')}${more}</ul>\n</details>\n`
}

type PageListed = ComparedPart['lists'][number]

const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; img-src data:; base-uri 'none'; form-action 'none'`

const PAGE_START = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Assay comparison</title>
<style>${STYLE}</style>
</head>
<body>
<main>
`
