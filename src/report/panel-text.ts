import { printableLine } from '../lib/text/escape.ts'
import { formatPercent, plural } from '../lib/text/format.ts'
import { type PanelFigures, panelFigures } from './outcome/panel-figures.ts'
import type { TestOutcome } from './outcome/test-outcome.ts'

/** Describes how the judges of panels compare, in one line for each target. */
export function panelText(targets: readonly (readonly [target: string, tests: readonly TestOutcome[]])[]): string {
  const lines = targets.flatMap(([target, tests]) => {
    const panel = panelFigures(tests)
    return panel ? [`${targets.length === 1 ? '' : `${printableLine(target)}: `}${disagreement(panel)}\n`] : []
  })
  return lines.join('')
}

/** `judges disagree on 7 of 40 answers: a passes 80 %, b 62 %, c 78 %`. */
function disagreement({ answers, disputed, judges }: PanelFigures): string {
  const rates = judges.map(
    ({ judge, passed, answers: judged }, index) =>
      `${printableLine(judge)}${index === 0 ? ' passes' : ''} ${formatPercent(passed / judged)}`,
  )
  return `judges disagree on ${disputed} of ${plural(answers, 'answer')}: ${rates.join(', ')}`
}
