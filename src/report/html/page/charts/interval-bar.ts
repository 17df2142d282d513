import type { Rate } from '../../../certainty.ts'
import { rateText } from '../../../rate-text.ts'
import { svg } from '../element.ts'

/** A rate on a line from 0 to 100 %, with how well it is known, where that can be said. */
export function intervalBar(rate: Rate): SVGElement | undefined {
  if (!rate.interval) return undefined
  const { low, high } = rate.interval
  const at = (share: number) => `${share * 100}%`
  return svg(
    'svg',
    { class: 'interval-bar', height: 16, role: 'img', 'aria-label': `${rateText(rate)} on a line from 0 to 100 %` },
    svg('line', { class: 'axis', x1: '0%', x2: '100%', y1: 8, y2: 8 }),
    svg('rect', { class: 'band', x: at(low), width: at(Math.max(0.005, high - low)), y: 4, height: 8, rx: 4 }),
    svg('circle', { class: 'point', cx: at(rate.rate), cy: 8, r: 6 }),
  )
}
