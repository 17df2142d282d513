import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import type { GradeContext } from '../../../model/evaluator.ts'
import type { EvaluatorResult } from '../../../model/evaluator-result.ts'
import type { PairComparison } from '../../../model/pair.ts'
import type { JudgeTask } from './ask-judge.ts'
import { askVotes, judgeOfVote } from './votes.ts'

/** Who won a comparison. */
type Winner = PairComparison['answer_first']

/** The two answers in one order, as a task for a judge. */
export interface PairTask extends JudgeTask {
  /** Whether the judged answer is in the first place. */
  readonly answer_first: boolean
}

/** What a judge decided about one order. */
export interface OrderVerdict {
  readonly winner: Winner
  /** The reasoning of a vote that agrees with the winner, else of the first vote. */
  readonly reasoning: string
  /** Every vote, as scores of the answer. */
  readonly votes: NonNullable<EvaluatorResult['votes']>
}

const schema = lazily(() => z.object({ winner: z.enum(['first', 'second', 'tie']), reasoning: z.string().default('') }))

const SHAPE =
  '`{"winner": "first", "second" or "tie", "reasoning": "why, in one or two sentences"}`; `"tie"` if neither answer is better.'

export const SCORES: Readonly<Record<Winner, number>> = { answer: 1, tie: 0.5, other: 0 }

/** Asks which of two answers in one order is better. The majority of the votes decides; without one, it is a tie. */
export async function judgeOrder({ answer_first, ...task }: PairTask, context: GradeContext): Promise<OrderVerdict> {
  const replies = await askVotes({ ...task, schema: schema(), shape: SHAPE }, context)
  const votes = replies.map(({ judge, reply: { winner, reasoning } }) => ({
    judge,
    winner: winnerOf(winner, answer_first),
    reasoning,
  }))
  const count = (wanted: Winner) => votes.filter(({ winner }) => winner === wanted).length
  const winner = WINNERS.find(each => count(each) > votes.length / 2) ?? 'tie'
  const agreeing = votes.find(vote => vote.winner === winner) ?? votes[0]
  return {
    winner,
    reasoning: agreeing?.reasoning ?? '',
    votes: votes.map(vote => ({
      score: SCORES[vote.winner],
      reasoning: `${orderText(answer_first)}: ${vote.reasoning}`,
      ...judgeOfVote(vote),
    })),
  }
}

const WINNERS: readonly Winner[] = ['answer', 'other', 'tie']

function winnerOf(place: 'first' | 'second' | 'tie', answerFirst: boolean): Winner {
  if (place === 'tie') return place
  return (place === 'first') === answerFirst ? 'answer' : 'other'
}

/** Names an order in reasoning. */
export function orderText(answerFirst: boolean): string {
  return `with the answer ${answerFirst ? 'first' : 'second'}`
}
