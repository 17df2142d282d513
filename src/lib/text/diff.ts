import { inOrderMatch } from '../assignment.ts'
import { quoteText, singleLine, truncate } from './quote.ts'

/** Texts up to this length are quoted in full. */
const SHORT = 80

/** Characters of long texts that are quoted before and after the first difference. */
const BEFORE = 30
const AFTER = 50

/** Describes how an answer, or what is named, differs from the expected text: both if short, otherwise the lines of the first difference. */
export function textDifference(answer: string, expected: string, name = 'the answer'): string {
  const kind = kindOf(answer, expected)
  if (answer === '') return `${name} is empty, expected ${quoteText(expected)}`
  if (answer.length <= SHORT && expected.length <= SHORT)
    return `${name} is ${quoteText(answer)}, expected ${quoteText(expected)}${kind}`
  const at = firstDifference(answer, expected)
  const hasLines = answer.includes('\n') || expected.includes('\n')
  const line = linesBefore(answer, at)
  const where = hasLines ? `line ${line + 1}` : `character ${at + 1}`
  const head = `${name} differs from the expected text at ${where}: ${excerpt(answer, at)}, expected ${excerpt(expected, at)}${kind}`
  return hasLines ? [head, ...aroundLine(answer, expected, line, name)].join('\n') : head
}

/** Names a difference that is hard to see. */
function kindOf(answer: string, expected: string): string {
  const isSame = (form: (text: string) => string) => form(answer) === form(expected)
  if (isSame(text => text.normalize())) return ' (only the Unicode form differs)'
  if (isSame(text => text.replace(/\s/g, ''))) return ' (only white space differs)'
  return isSame(text => text.toLowerCase()) ? ' (only upper and lower case differ)' : ''
}

/** The offset of the first difference, never inside a surrogate pair. */
function firstDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  const code = at > 0 ? a.charCodeAt(at - 1) : 0
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at
}

function linesBefore(text: string, at: number): number {
  return text.slice(0, at).split('\n').length - 1
}

/** Quotes the line of the first difference, or the part around it, with a line break that differs. */
function excerpt(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf('\n', at - 1) + 1, at - BEFORE)
  const lineEnd = text.indexOf('\n', at + 1)
  const end = Math.min(lineEnd < 0 ? text.length : lineEnd, at + AFTER)
  const part = text.slice(start, end).replace(/^\p{Surrogate}|\p{Surrogate}$/gu, '')
  if (part === '') return 'the end of the text'
  const isCut = (offset: number) =>
    offset > 0 && offset < text.length && text[offset] !== '\n' && text[offset - 1] !== '\n'
  return `"${isCut(start) ? '…' : ''}${singleLine(part)}${isCut(end) ? '…' : ''}"`
}

/** The lines compared from the first difference on, and the longest excerpt of each. */
const LINES = 12
const LONGEST_LINE = 160

function aroundLine(answer: string, expected: string, line: number, name: string): string[] {
  const start = Math.max(0, line - 2)
  const end = line + LINES
  const [wanted, found] = [expected.split('\n'), answer.split('\n')]
  const diff = listDiff(wanted.slice(start, end), found.slice(start, end))
  const more = Math.max(wanted.length, found.length) - end
  return [
    `from line ${start + 1} (- expected, + ${name.replace('the ', '')}):`,
    ...diff.map(({ mark, text }) => `${mark} ${truncate(text, LONGEST_LINE)}`.trimEnd()),
    ...(more > 0 ? [`… ${more} more ${more === 1 ? 'line' : 'lines'}`] : []),
  ]
}

/** A line of a diff: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Comparing more pairs of lines would take too much memory. */
const MOST_PAIRS = 4_000_000

/** Compares two texts line by line. */
export function lineDiff(from: string, to: string): DiffLine[] {
  return listDiff(from.split('\n'), to.split('\n'))
}

/** Compares two lists of strings. */
export function listDiff(a: readonly string[], b: readonly string[]): DiffLine[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const same = (lines: readonly string[]) => lines.map(text => ({ mark: ' ', text }) as const)
  const middle = changed(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))]
}

function changed(a: readonly string[], b: readonly string[]): DiffLine[] {
  const isTooMuch = a.length * b.length > MOST_PAIRS
  const matched = isTooMuch
    ? a.map(() => undefined)
    : inOrderMatch(a.length, b.length, (row, column) => Number(a[row] === b[column]))
  const lines: DiffLine[] = []
  let next = 0
  const added = (until: number) => {
    for (; next < until; next++) lines.push({ mark: '+', text: b[next] ?? '' })
  }
  for (const [row, column] of matched.entries()) {
    if (column !== undefined) added(column)
    lines.push({ mark: column === undefined ? '-' : ' ', text: a[row] ?? '' })
    if (column !== undefined) next++
  }
  added(b.length)
  return lines
}
