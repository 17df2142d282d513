/** Equal lines of two texts: `length` lines from `a` in the first and from `b` in the second. */
export interface EqualLines {
  readonly a: number
  readonly b: number
  readonly length: number
}

/** The most steps of a comparison. Beyond them, the lines between the equal beginning and end count as replaced. */
const MOST_STEPS = 4_000_000

/** The most edits of a comparison: its memory grows with their square. */
const MOST_EDITS = 1000

/** Finds the equal lines of two texts, in order, with as few edits as possible (Myers' algorithm). */
export function equalLines(a: readonly string[], b: readonly string[]): EqualLines[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  const most = Math.min(a.length, b.length) - start
  while (end < most && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const [before, after] = numbered(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return merged([
    { a: 0, b: 0, length: start },
    ...middleOf(before, after).map(run => ({ ...run, a: run.a + start, b: run.b + start })),
    { a: a.length - end, b: b.length - end, length: end },
  ])
}

/** Replaces lines by numbers, which are compared faster. */
function numbered(...texts: readonly (readonly string[])[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const number = numbers.get(line) ?? numbers.size
    numbers.set(line, number)
    return number
  }
  return texts.map(lines => Int32Array.from(lines, numberOf)) as [Int32Array, Int32Array]
}

function middleOf(a: Int32Array, b: Int32Array): EqualLines[] {
  if (a.length === 0 || b.length === 0) return []
  const trace = furthestPaths(a, b)
  return trace ? pathBack(a, b, trace) : []
}

/** For each number of edits, how far each diagonal reaches in `a`; undefined if that takes too many steps. */
function furthestPaths(a: Int32Array, b: Int32Array): Int32Array[] | undefined {
  const trace: Int32Array[] = []
  const most = Math.min(a.length + b.length, MOST_EDITS)
  let reach = new Int32Array(3)
  let steps = 0
  for (let edits = 0; edits <= most; edits++) {
    const next = new Int32Array(2 * edits + 3)
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOf(reach, edits, diagonal)
      const from = x
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++
      steps += x - from + 1
      next[diagonal + edits + 1] = x
      if (x >= a.length && x - diagonal >= b.length) return [...trace, next]
    }
    if (steps > MOST_STEPS) return undefined
    trace.push(next)
    reach = next
  }
  return undefined
}

/** Where a diagonal begins: at the end of a neighbour with one edit less. */
function startOf(reach: Int32Array, edits: number, diagonal: number): number {
  if (edits === 0) return 0
  const at = diagonal + edits
  return isAddition(reach, edits, diagonal) ? (reach[at + 1] ?? 0) : (reach[at - 1] ?? 0) + 1
}

/** Whether the last edit of a diagonal adds a line, and does not remove one. */
function isAddition(reach: Int32Array, edits: number, diagonal: number): boolean {
  const at = diagonal + edits
  return diagonal === -edits || (diagonal !== edits && (reach[at - 1] ?? 0) < (reach[at + 1] ?? 0))
}

/** Follows the shortest path from its end and collects the equal lines on it. */
function pathBack(a: Int32Array, b: Int32Array, trace: readonly Int32Array[]): EqualLines[] {
  const runs: EqualLines[] = []
  let end = a.length
  let diagonal = a.length - b.length
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits - 1] ?? new Int32Array(3)
    const start = startOf(reach, edits, diagonal)
    runs.push({ a: start, b: start - diagonal, length: end - start })
    const isAdded = isAddition(reach, edits, diagonal)
    end = isAdded ? start : start - 1
    diagonal += isAdded ? 1 : -1
  }
  return runs.reverse()
}

/** Joins adjacent runs, and drops empty ones. */
function merged(runs: readonly EqualLines[]): EqualLines[] {
  const found: EqualLines[] = []
  for (const run of runs) {
    const last = found.at(-1)
    if (run.length === 0) continue
    if (last && last.a + last.length === run.a && last.b + last.length === run.b)
      found.splice(-1, 1, { ...last, length: last.length + run.length })
    else found.push(run)
  }
  return found
}
