import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

const winner = lazily(() => z.enum(['answer', 'other', 'tie']))

export const pairSchema = lazily(() =>
  z
    .strictObject({
      against: z.string().describe('What the answer was compared with, as written.'),
      answer_first: winner().describe('Who won with the answer in the first place.'),
      answer_second: winner().describe('Who won with the answer in the second place.'),
      equal: z.literal(true).optional().describe('The two texts are equal: a tie, for which no judge was asked.'),
    })
    .describe('A comparison with another answer, in both orders. Only a winner in both orders wins.'),
)

export type PairComparison = z.output<ReturnType<typeof pairSchema>>

/** A check that may have compared two answers, or contain one that has. */
interface ComparedCheck {
  readonly pair?: PairComparison | undefined
  readonly evaluator_results?: readonly ComparedCheck[] | undefined
}

/** The comparisons of checks, at any depth; undefined if none has compared. */
export function pairsIn(checks: readonly ComparedCheck[]): readonly PairComparison[] | undefined {
  const pairs: PairComparison[] = []
  for (const { pair, evaluator_results: inside } of checks) {
    if (pair) pairs.push(pair)
    if (inside) pairs.push(...(pairsIn(inside) ?? []))
  }
  return pairs.length === 0 ? undefined : pairs
}
