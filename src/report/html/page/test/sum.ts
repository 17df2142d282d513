import type { Result } from '../../../../model/result.ts'
import { scoreSum } from '../../../score-sum.ts'
import { el } from '../element.ts'

/** How the score comes of the checks, and the verdict of the score. */
export function sumSection(result: Result): HTMLElement {
  const lines = result.error ? [`no score: error in the ${result.error.stage}`] : scoreSum(result)
  return el(
    'section',
    { class: 'panel', 'aria-labelledby': 'sum-name' },
    el('h2', { id: 'sum-name' }, 'Score'),
    ...lines.map(line => el('p', { class: 'sum' }, line)),
  )
}
