import { shortNumber } from '../../../../lib/short-number.ts'
import type { EvaluatorResult, RubricItem } from '../../../../model/result.ts'
import { itemSum } from '../../../item-lines.ts'
import { el } from '../element.ts'
import { verdictSign } from '../verdict-badge.ts'

/** What a judge found of each rubric, and how the score of the check comes of it. */
export function itemsOf({ items = [], score }: EvaluatorResult): HTMLElement[] {
  if (items.length === 0) return []
  return [
    el('ul', { class: 'items', 'aria-label': 'rubrics' }, ...items.map(itemLine)),
    ...itemSum(items, score).map(text => el('p', { class: 'sum' }, text)),
  ]
}

function itemLine({ text, satisfied, score, weight, required, passed, reasoning }: RubricItem): HTMLElement {
  const found = satisfied === undefined ? `${shortNumber(score ?? 0)} of 10` : satisfied ? 'satisfied' : 'not satisfied'
  const facts = [
    found,
    ...(weight === 1 ? [] : [`weight ${shortNumber(weight)}`]),
    ...(required ? [passed ? 'required' : 'required: missed'] : []),
  ]
  return el(
    'li',
    { class: passed ? 'pass' : 'fail' },
    verdictSign(passed ? 'pass' : 'fail'),
    el(
      'div',
      {},
      el('p', {}, text, ' ', el('span', { class: 'faint' }, facts.join(', '))),
      reasoning !== '' && el('p', { class: 'faint' }, reasoning),
    ),
  )
}
