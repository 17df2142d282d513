import type { Verdict } from '../../model/verdict.ts'
import type { GroupStatistics } from '../../report/html/page-data.ts'
import { el, svg } from './element.ts'

const SIGNS: Readonly<Record<string, string>> = { pass: '✓', borderline: '≈', fail: '✕', error: '!', flaky: '↯' }

/** A verdict as word, sign and colour, so that none of them has to be perceived. */
export function verdictBadge(verdict: string): HTMLElement {
  return el('span', { class: `badge ${styleOf(verdict)}` }, verdictSign(verdict), verdict)
}

/** The class of a verdict, or of what a mark makes of it. */
export function styleOf(verdict: string): string {
  return verdict.replaceAll(' ', '-')
}

export function verdictSign(verdict: string): HTMLElement {
  return el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[verdict] ?? '')
}

const VERDICTS: readonly Verdict[] = ['pass', 'borderline', 'fail', 'error']

/** A bar with the share of each verdict. */
export function verdictBar({ counts, tests }: Pick<GroupStatistics, 'counts' | 'tests'>): SVGElement {
  let from = 0
  const parts = VERDICTS.filter(verdict => counts[verdict] > 0).map(verdict => {
    const width = (100 * counts[verdict]) / tests
    const part = svg('rect', { class: `fill ${verdict}`, x: `${from}%`, y: 0, width: `${width}%`, height: 12 })
    from += width
    return part
  })
  const descriptions = VERDICTS.filter(verdict => counts[verdict] > 0).map(verdict => `${counts[verdict]} ${verdict}`)
  return svg(
    'svg',
    { class: 'verdict-bar', height: 12, role: 'img', 'aria-label': descriptions.join(', ') || 'none' },
    ...parts,
  )
}
