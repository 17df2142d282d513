import { formatPercent, formatShare, plural } from '../../../lib/text/format.ts'
import { armName } from '../../../model/result.ts'
import { formatInterval } from '../../estimates-text.ts'
import { estimatesOf } from '../estimates.ts'
import type { Outcome } from '../run-outcome.ts'
import type { CorrectedPassRate, LabelCounts } from './correction.ts'

/** One line for each target with a calibration: its corrected pass rate, or why it has none. */
export function correctionLines({ tests, corrections = [] }: Pick<Outcome, 'tests' | 'corrections'>): string[] {
  const isSeveral = new Set(tests.map(({ target }) => target)).size > 1
  return corrections.flatMap(({ target, ...correction }) => {
    const own = tests.filter(test => test.target === target)
    const name = isSeveral
      ? `${armName(
          target,
          own.every(({ is_control }) => is_control),
        )}: `
      : ''
    if (correction.kind === 'refused') return [`${name}no corrected pass rate: ${correction.reasons.join('; ')}`]
    if (correction.kind !== 'corrected') return []
    const { pass_rate } = estimatesOf(own)
    const judged = pass_rate?.first?.rate ?? pass_rate?.rate ?? 0
    return [`${name}${formatPercent(judged)} judged; ${correctedText(correction)}`]
  })
}

/** `77 % [70–83] corrected by 60 labels`. */
function correctedText({ rate, interval, labels }: CorrectedPassRate): string {
  return `${formatPercent(rate)}${formatInterval(interval, formatShare)} corrected by ${labelsText(labels)}`
}

/** `60 labels`, `60 labels of another run`, `30 labels and 60 of another run`. */
function labelsText({ of_target, of_other_targets, of_other_runs }: LabelCounts): string {
  const counts = [
    { count: of_target, whose: '' },
    { count: of_other_targets, whose: ' of other targets' },
    { count: of_other_runs, whose: ' of another run' },
  ].filter(({ count }) => count > 0)
  const texts = counts.map(({ count, whose }, index) => `${index === 0 ? plural(count, 'label') : count}${whose}`)
  return texts.join(' and ')
}
