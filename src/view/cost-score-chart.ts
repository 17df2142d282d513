import type { Interval } from '../lib/statistics/intervals.ts'
import type { GroupStatistics } from '../report/html/page-data.ts'
import { el, svg } from './element.ts'
import { format } from './format.ts'

const HEIGHT = 220
const TOP = 14
const BASE = HEIGHT - 26

interface Point {
  readonly name: string
  readonly cost: number
  readonly mean: number
  readonly interval: Interval | undefined
}

/** A scatter plot of the targets: cost to the right, score upwards. */
export function costScoreChart(targets: readonly GroupStatistics[]): HTMLElement {
  const points = targets.flatMap(({ name, mean_cost_usd: cost, score }): Point[] =>
    cost === undefined || !score ? [] : [{ name, cost, ...score }],
  )
  const most = Math.max(...points.map(({ cost }) => cost)) || 1
  const descriptions = points.map(
    ({ name, cost, mean }) => `${name}: ${format.cost(cost)}, score ${format.score(mean)}`,
  )
  return el(
    'div',
    {},
    svg(
      'svg',
      { class: 'drawing', height: HEIGHT, role: 'img', 'aria-label': descriptions.join('; ') },
      ...[0, 0.2, 0.4, 0.6, 0.8, 1].flatMap(gridLine),
      ...[0, 0.5, 1].map(share => costMark(share, most)),
      ...points.flatMap((point, index) => drawPoint(point, index, most)),
    ),
    el('ol', { class: 'points' }, ...descriptions.map(text => el('li', {}, text))),
  )
}

const yOf = (score: number) => BASE - score * (BASE - TOP)
const xOf = (share: number) => `${8 + share * 86}%`

function gridLine(score: number): SVGElement[] {
  return [
    svg('line', { class: score === 0 ? 'axis' : 'grid', x1: '8%', x2: '100%', y1: yOf(score), y2: yOf(score) }),
    svg('text', { class: 'tick', x: 0, y: yOf(score) + 4 }, score.toFixed(1)),
  ]
}

function costMark(share: number, most: number): SVGElement {
  const anchor = share === 0 ? 'start' : share === 1 ? 'end' : 'middle'
  return svg('text', { class: 'tick', x: xOf(share), y: HEIGHT - 6, 'text-anchor': anchor }, format.cost(share * most))
}

function drawPoint({ cost, mean, interval }: Point, index: number, most: number): SVGElement[] {
  const x = xOf(cost / most)
  return [
    ...(interval
      ? [svg('line', { class: 'whisker', x1: x, x2: x, y1: yOf(interval.low), y2: yOf(interval.high) })]
      : []),
    svg('circle', { class: 'point', cx: x, cy: yOf(mean), r: 9 }),
    svg('text', { class: 'in-point', x, y: yOf(mean) + 4, 'text-anchor': 'middle' }, index + 1),
  ]
}
