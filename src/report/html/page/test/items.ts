import type { EvaluatorResult, RubricItem } from '../../../../model/result.ts'
import { itemFacts, itemSum } from '../../../item-lines.ts'
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

function itemLine(item: RubricItem): HTMLElement {
  const { text, passed, reasoning } = item
  return el(
    'li',
    { class: passed ? 'pass' : 'fail' },
    verdictSign(passed ? 'pass' : 'fail'),
    el(
      'div',
      {},
      el('p', {}, text, ' ', el('span', { class: 'faint' }, itemFacts(item))),
      reasoning !== '' && el('p', { class: 'faint' }, reasoning),
    ),
  )
}
