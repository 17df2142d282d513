/** Returns `did you mean …?` if a known word is close, otherwise another hint. */
export function didYouMean(word: string, known: Iterable<string>, otherwise: string): string {
  const near = closestMatch(word, known)
  return near === undefined ? otherwise : `did you mean \`${near}\`?`
}

/** Returns the candidate closest to a mistyped word; undefined if none is close. */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  let looked = 0
  for (const candidate of candidates) {
    if (++looked > MOST) break
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const distance = editDistance(fold(word), fold(candidate))
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

const LONGEST = 64

/** Longer lists are not searched: people do not choose from them. */
const MOST = 200

function fold(word: string): string {
  return word.slice(0, LONGEST).toLowerCase().replaceAll('-', '_')
}

/** The edit distance of two words; swapping two neighbours is one edit. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    beforeLast = last
    last = current
  }
  return at(last, b.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
