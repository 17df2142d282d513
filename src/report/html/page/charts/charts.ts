import type { PageData } from '../../page-data.ts'
import { el } from '../element.ts'
import { costAgainstScore } from './cost-against-score.ts'
import { latencies } from './latencies.ts'
import { scoreHistogram } from './score-histogram.ts'

/** The drawings, where there is something that they say better than the numbers. */
export function charts({ scores, targets, all }: PageData): HTMLElement | undefined {
  const drawn = [
    targets.some(({ score }) => score) && all.tests > 1
      ? chart('Scores', 'tests by their score; pass from 0.8, borderline from 0.6', scoreHistogram(scores))
      : undefined,
    targets.some(({ latency }) => latency) && all.tests > 1
      ? chart('Time of an answer', 'least, median, 90 % and most', latencies(targets))
      : undefined,
    targets.filter(({ mean_cost_usd, score }) => mean_cost_usd !== undefined && score).length > 1
      ? chart(
          'Cost against score',
          'mean cost of an answer, and the score with its 95 % interval',
          costAgainstScore(targets),
        )
      : undefined,
  ].filter(chart => chart !== undefined)
  return drawn.length === 0 ? undefined : el('div', { class: 'charts' }, ...drawn)
}

function chart(name: string, note: string, drawing: Element): HTMLElement {
  return el(
    'figure',
    { class: 'card chart' },
    el('figcaption', {}, el('h2', {}, name), el('p', { class: 'faint' }, note)),
    drawing,
  )
}
