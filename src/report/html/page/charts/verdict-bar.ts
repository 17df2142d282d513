import type { Verdict } from '../../../../model/marks.ts'
import type { Figures } from '../../page-data.ts'
import { svg } from '../element.ts'

const ORDER: readonly Verdict[] = ['pass', 'borderline', 'fail', 'error']

/** One bar: the share of each verdict. */
export function verdictBar({ counts, tests }: Pick<Figures, 'counts' | 'tests'>): SVGElement {
  let from = 0
  const parts = ORDER.filter(verdict => counts[verdict] > 0).map(verdict => {
    const width = (100 * counts[verdict]) / tests
    const part = svg('rect', { class: `fill ${verdict}`, x: `${from}%`, y: 0, width: `${width}%`, height: 12 })
    from += width
    return part
  })
  const told = ORDER.filter(verdict => counts[verdict] > 0).map(verdict => `${counts[verdict]} ${verdict}`)
  return svg(
    'svg',
    { class: 'verdict-bar', height: 12, role: 'img', 'aria-label': told.join(', ') || 'none' },
    ...parts,
  )
}
