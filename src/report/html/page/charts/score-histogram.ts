import type { Verdict } from '../../../../model/marks.ts'
import type { Counts } from '../../../outcome.ts'
import { svg } from '../element.ts'

const HEIGHT = 150
const BASE = HEIGHT - 22
const TOP = 18
const VERDICTS: readonly Verdict[] = ['error', 'fail', 'borderline', 'pass']

/** How many tests have which score: ten columns. */
export function scoreHistogram(steps: readonly Counts[]): SVGElement {
  const totals = steps.map(counts => VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0))
  const most = Math.max(1, ...totals)
  const width = 100 / steps.length
  const told = totals.map((total, index) => `from ${(index / steps.length).toFixed(1)}: ${total}`).join(', ')
  return svg(
    'svg',
    { class: 'drawing', height: HEIGHT, role: 'img', 'aria-label': `Tests by score, ${told}` },
    svg('line', { class: 'axis', x1: '0%', x2: '100%', y1: BASE, y2: BASE }),
    ...steps.flatMap((counts, index) => column(counts, index * width, width, most)),
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

function column(counts: Counts, from: number, width: number, most: number): SVGElement[] {
  let below = 0
  return VERDICTS.filter(verdict => counts[verdict] > 0).map(verdict => {
    const height = scaled(counts[verdict], most)
    below += height
    const place = { x: `${from + width * 0.08}%`, width: `${width * 0.84}%`, y: BASE - below, height }
    return svg('rect', { class: `fill ${verdict}`, ...place })
  })
}

function scaled(count: number, most: number): number {
  return (count / most) * (BASE - TOP)
}
