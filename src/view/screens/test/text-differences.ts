import { type DiffLine, listDiff } from '../../../lib/text/diff.ts'
import { asText } from '../../../model/messages/content-text.ts'

/** A part of a text: in both texts, or only in this one. */
export interface TextPart {
  readonly text: string
  readonly isSame: boolean
}

/** Both texts in parts. */
export interface TextDifferences {
  readonly from: readonly TextPart[]
  readonly to: readonly TextPart[]
}

/** Longer texts are shown without marks. */
const MAX_DIFF_LENGTH = 50_000

/** Limit for comparing words; beyond it, lines are compared. */
const MAX_WORD_PAIRS = 2_000_000

/** Marks the differences of two texts; undefined if they are too long. */
export function textDifferences(from: string, to: string): TextDifferences | undefined {
  if (from.length > MAX_DIFF_LENGTH || to.length > MAX_DIFF_LENGTH) return undefined
  const [a, b] = [wordsOf(from), wordsOf(to)]
  const parts = a.length * b.length > MAX_WORD_PAIRS ? listDiff(linesOf(from), linesOf(to)) : listDiff(a, b)
  return { from: joined(parts, '-'), to: joined(parts, '+') }
}

/** Formats a JSON answer like the expected data. */
export function comparableAnswer(answer: string, expected: unknown): string {
  if (typeof expected !== 'object') return answer
  try {
    return asText(JSON.parse(answer))
  } catch {
    return answer
  }
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? []
}

/** Returns one side of the diff, with adjacent equal marks joined. */
function joined(parts: readonly DiffLine[], mark: '-' | '+'): TextPart[] {
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
