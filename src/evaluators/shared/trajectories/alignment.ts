import { inOrderMatch } from '../../../lib/in-order-match.ts'

/** How many places of two sequences are shown, and how many items of each are compared. */
const MOST_SHOWN = 12
const MOST_COMPARED = 500

/** Two sequences side by side: `expected: search, read, –; called: search, –, write`. */
export function alignment(allExpected: readonly string[], allCalled: readonly string[]): string {
  const [expected, called] = [allExpected.slice(0, MOST_COMPARED), allCalled.slice(0, MOST_COMPARED)]
  const matched = inOrderMatch(expected.length, called.length, (row, column) =>
    Number(expected[row] === called[column]),
  )
  const places: [string, string][] = []
  let next = 0
  for (const [row, name] of expected.entries()) {
    const column = matched[row]
    if (column !== undefined) while (next < column) places.push(['–', called[next++] ?? ''])
    places.push([name, column === undefined ? '–' : (called[next++] ?? '')])
  }
  while (next < called.length) places.push(['–', called[next++] ?? ''])
  const shown = places.slice(0, MOST_SHOWN)
  const beyond = Math.max(allExpected.length - expected.length, allCalled.length - called.length)
  const more = places.length - shown.length + beyond
  const rest = more > 0 ? `, … ${more} more` : ''
  const side = (index: 0 | 1) => (shown.map(place => place[index]).join(', ') || 'nothing') + rest
  return `expected: ${side(0)}; called: ${side(1)}`
}
