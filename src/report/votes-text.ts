import { formatNumber } from '../lib/text/format.ts'
import { singleLine } from '../lib/text/quote.ts'
import type { EvaluatorResult } from '../model/evaluator-result.ts'

export type Votes = NonNullable<EvaluatorResult['votes']>

/** The votes of a panel, one line each: `a: not satisfied — It rambles.` Empty without a panel. */
export function panelVotes(votes: Votes = []): string[] {
  return votes.filter(({ judge }) => judge !== undefined).map(voteText)
}

/** `a: not satisfied — It rambles.`; without a panel, the vote has its number: `vote 2: 0.7`. */
export function voteText(vote: Votes[number], index: number): string {
  const why = singleLine(vote.reasoning.trim())
  return `${vote.judge ?? `vote ${index + 1}`}: ${voteFinding(vote)}${why === '' ? '' : ` — ${why}`}`
}

function voteFinding({ satisfied, score = 0 }: Votes[number]): string {
  if (satisfied === undefined) return formatNumber(score)
  return satisfied ? 'satisfied' : 'not satisfied'
}
