import type { EvaluatorResult, RubricItem } from '../../../model/evaluator-result.ts'
import type { PairComparison } from '../../../model/pair.ts'
import { itemFacts, itemSum } from '../../../report/score-breakdown.ts'
import { type Votes, voteText } from '../../../report/votes-text.ts'
import { LongText } from '../../parts/long-text.tsx'
import { VerdictSign } from '../../parts/verdict-badge.tsx'

/** The findings on each rubric item, and how the score of the check follows from them. */
export function RubricItems({ check: { items = [], score } }: { readonly check: EvaluatorResult }) {
  if (items.length === 0) return null
  return (
    <>
      <ul class="items" aria-label="rubrics">
        {items.map(item => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      {itemSum(items, score).map(text => (
        <p class="sum">{text}</p>
      ))}
    </>
  )
}

function Item({ item }: { readonly item: RubricItem }) {
  const { text, passed, reasoning } = item
  const verdict = passed ? 'pass' : 'fail'
  return (
    <li class={verdict}>
      <VerdictSign verdict={verdict} />
      <div>
        <p>
          {text} <span class="faint">{itemFacts(item)}</span>
        </p>
        {reasoning !== '' && <p class="faint">{reasoning}</p>}
        <JudgeVotes votes={item.votes} />
      </div>
    </li>
  )
}

/** The votes of a judge or of a panel; open if they differ. */
export function JudgeVotes({ votes }: { readonly votes: Votes | undefined }) {
  if (!votes) return null
  const findings = new Set(votes.map(({ satisfied, score }) => String(satisfied ?? score)))
  const agreement = findings.size > 1 ? 'they differ' : 'all the same'
  return (
    <details class="votes" open={findings.size > 1}>
      <summary>{`${votes.length} votes: ${agreement}`}</summary>
      <ul>
        {votes.map((vote, index) => (
          <li>
            <LongText text={voteText(vote, index)} />
          </li>
        ))}
      </ul>
    </details>
  )
}

const WINNERS: Readonly<Record<PairComparison['answer_first'], string>> = {
  answer: 'the answer won',
  other: 'the other answer won',
  tie: 'tie',
}

/** Who won in each order of a comparison with another answer. */
export function PairOrders({ pair }: { readonly pair: PairComparison | undefined }) {
  if (!pair) return null
  const { against, answer_first, answer_second, equal } = pair
  if (equal) return <p class="pair">{`Against ${against}: the texts are equal, so no judge was asked.`}</p>
  const isAgreed = answer_first === answer_second
  return (
    <div class="pair">
      <p>{`Against ${against}: ${isAgreed ? WINNERS[answer_first] : 'a tie, because the orders disagree'}`}</p>
      <ul class="faint">
        <li>{`the answer in the first place: ${WINNERS[answer_first]}`}</li>
        <li>{`the answer in the second place: ${WINNERS[answer_second]}`}</li>
      </ul>
    </div>
  )
}
