import type { Verdict } from '../model/verdict.ts'
import type { GroupStatistics, Latency, PageData } from '../report/html/page-data.ts'
import type { Counts } from '../report/outcome/run-outcome.ts'
import { costScoreChart } from './cost-score-chart.ts'
import { el, svg } from './element.ts'
import { format } from './format.ts'

/** The charts that have enough data. */
export function charts({ scores, targets, all }: PageData): HTMLElement | undefined {
  const drawn = [
    targets.some(({ score }) => score) && all.tests > 1
      ? chart('Scores', 'tests by their score; the colour is the verdict', scoreHistogram(scores))
      : undefined,
    targets.some(({ latency }) => latency) && all.tests > 1
      ? chart('Response time', 'minimum, median, 90th percentile and maximum', latencyChart(targets))
      : undefined,
    targets.filter(({ mean_cost_usd, score }) => mean_cost_usd !== undefined && score).length > 1
      ? chart(
          'Cost against score',
          'mean cost of an answer, and the score with its 95 % interval',
          costScoreChart(targets),
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

const HEIGHT = 150
const BASE = HEIGHT - 22
const TOP = 18
const VERDICTS: readonly Verdict[] = ['error', 'fail', 'borderline', 'pass']

/** A histogram of the scores in ten columns. */
function scoreHistogram(steps: readonly Counts[]): SVGElement {
  const totals = steps.map(counts => VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0))
  const most = Math.max(1, ...totals)
  const width = 100 / steps.length
  const description = totals.map((total, index) => `from ${(index / steps.length).toFixed(1)}: ${total}`).join(', ')
  return svg(
    'svg',
    { class: 'drawing', height: HEIGHT, role: 'img', 'aria-label': `Tests by score, ${description}` },
    svg('line', { class: 'axis', x1: '0%', x2: '100%', y1: BASE, y2: BASE }),
    ...steps.flatMap((counts, index) => histogramColumn(counts, index * width, width, most)),
    ...totals.map((total, index) =>
      svg(
        'text',
        { x: `${(index + 0.5) * width}%`, y: BASE - scaled(total, most) - 5, 'text-anchor': 'middle' },
        total > 0 && total,
      ),
    ),
    ...[0, 0.2, 0.4, 0.6, 0.8, 1].map(mark =>
      svg(
        'text',
        {
          class: 'tick',
          x: `${mark * 100}%`,
          y: HEIGHT - 6,
          'text-anchor': mark === 0 ? 'start' : mark === 1 ? 'end' : 'middle',
        },
        mark.toFixed(1),
      ),
    ),
  )
}

function histogramColumn(counts: Counts, from: number, width: number, most: number): SVGElement[] {
  let below = 0
  return VERDICTS.filter(verdict => counts[verdict] > 0).map(verdict => {
    const height = scaled(counts[verdict], most)
    below += height
    const box = { x: `${from + width * 0.08}%`, width: `${width * 0.84}%`, y: BASE - below, height }
    return svg('rect', { class: `fill ${verdict}`, ...box })
  })
}

function scaled(count: number, most: number): number {
  return (count / most) * (BASE - TOP)
}

/** Maximum number of targets in the chart. */
const MAX_TARGETS = 12

/** The response times of each target on a common scale. */
function latencyChart(targets: readonly GroupStatistics[]): HTMLElement {
  const known = targets.flatMap(({ name, latency }) => (latency ? [{ name, latency }] : [])).slice(0, MAX_TARGETS)
  const most = Math.max(1, ...known.map(({ latency }) => latency.most))
  return el('div', { class: 'latencies' }, ...known.map(({ name, latency }) => latencyLine(name, latency, most)))
}

function latencyLine(name: string, latency: Latency, most: number): HTMLElement {
  const { least, median, p90, most: longest } = latency
  const at = (ms: number) => `${1 + (ms / most) * 98}%`
  const text = `median ${format.time(median)} · 90 % within ${format.time(p90)} · longest ${format.time(longest)}`
  return el(
    'div',
    { class: 'latency' },
    el('p', {}, el('strong', {}, name), ' ', el('span', { class: 'faint' }, text)),
    svg(
      'svg',
      { class: 'drawing', height: 18, role: 'img', 'aria-label': `${name}: ${text}` },
      svg('line', { class: 'axis', x1: '0%', x2: '100%', y1: 9, y2: 9 }),
      svg('line', { class: 'whisker', x1: at(least), x2: at(longest), y1: 9, y2: 9 }),
      svg('rect', { class: 'band', x: at(least), width: `${((p90 - least) / most) * 98}%`, y: 4, height: 10, rx: 3 }),
      svg('line', { class: 'median', x1: at(median), x2: at(median), y1: 1, y2: 17 }),
    ),
  )
}
