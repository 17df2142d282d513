import { inOrderMatch } from './in-order-match.ts'

/** A line of two texts: in both, or only in the first or the second. */
export interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** Comparing more pairs of lines than this takes too much memory. */
const MOST_PAIRS = 4_000_000

/** What makes a text into another, line by line. */
export function lineDiff(from: string, to: string): DiffLine[] {
  return listDiff(from.split('\n'), to.split('\n'))
}

/** The same of two lists of texts. */
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
