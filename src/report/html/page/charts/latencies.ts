import type { Figures, Latency } from '../../page-data.ts'
import { el, svg } from '../element.ts'
import { numberText } from '../number-text.ts'

/** How many targets are drawn. */
const MOST = 12

/** How long the answers of each target took, on one line for all. */
export function latencies(targets: readonly Figures[]): HTMLElement {
  const known = targets.flatMap(({ name, latency }) => (latency ? [{ name, latency }] : [])).slice(0, MOST)
  const most = Math.max(1, ...known.map(({ latency }) => latency.most))
  return el('div', { class: 'latencies' }, ...known.map(({ name, latency }) => line(name, latency, most)))
}

function line(name: string, latency: Latency, most: number): HTMLElement {
  const { least, median, p90, most: longest } = latency
  const at = (ms: number) => `${1 + (ms / most) * 98}%`
  const text = `median ${numberText.time(median)} · 90 % within ${numberText.time(p90)} · longest ${numberText.time(longest)}`
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
