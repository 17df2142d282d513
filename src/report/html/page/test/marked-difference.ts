import { type DiffLine, listDiff } from '../../../../lib/line-diff.ts'

export interface Marked {
  readonly text: string
  readonly isSame: boolean
}

/** Texts that are longer are shown without marks. */
const LONGEST = 50_000

/** Comparing more pairs of words than this takes too long: then lines are compared. */
const MOST_PAIRS = 2_000_000

/** Two texts, each with what the other does not have; undefined where they are too long to say. */
export function markedDifference(from: string, to: string): { from: Marked[]; to: Marked[] } | undefined {
  if (from.length > LONGEST || to.length > LONGEST) return undefined
  const [a, b] = [wordsOf(from), wordsOf(to)]
  const parts = a.length * b.length > MOST_PAIRS ? listDiff(linesOf(from), linesOf(to)) : listDiff(a, b)
  return { from: joined(parts, '-'), to: joined(parts, '+') }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

/** One side of it: neighbours that are marked alike become one. */
function joined(parts: readonly DiffLine[], mark: '-' | '+'): Marked[] {
  const side: { text: string; isSame: boolean }[] = []
  for (const part of parts) {
    if (part.mark !== ' ' && part.mark !== mark) continue
    const isSame = part.mark === ' '
    const last = side.at(-1)
    if (last?.isSame === isSame) last.text += part.text
    else side.push({ text: part.text, isSame })
  }
  return side
}
