import { groupBy } from '../../../lib/collections.ts'
import { printableLine } from '../../../lib/text/escape.ts'
import { passShareWithoutReruns } from '../estimates.ts'
import { isBelow, percentAgainst } from '../required-rate.ts'
import type { TestOutcome } from '../test-outcome.ts'
import type { Correction, TargetCorrection } from './correction.ts'

/** What `--gate corrected` compares. */
export interface CorrectedGate {
  readonly corrections: readonly TargetCorrection[]
  /** Tests without attempts, which did not pass. */
  readonly missing: number
  /** Number of results that were carried over. */
  readonly carried: number
  readonly required: number
}

/** Fails closed: a target without a corrected rate does not reach any. A rate that no model judged needs no correction. */
export function correctedGate(
  tests: readonly TestOutcome[],
  { corrections, missing, carried, required }: CorrectedGate,
): { readonly held: boolean; readonly reason: string } {
  const targets = [...groupBy(tests, ({ target }) => target)].map(([target, group]) => {
    const correction = corrections.find(each => each.target === target)
    const rate = rateOf(group, correction)
    const whole = rate === undefined ? undefined : (rate * group.length) / (group.length + missing)
    return { target, rate: whole, why: whole === undefined ? whyNone(correction) : '' }
  })
  const failed = targets.filter(({ rate }) => rate === undefined || isBelow(rate, required))
  const texts = (failed.length > 0 ? failed : targets).map(({ target, rate, why }) => {
    const name = targets.length > 1 ? `${printableLine(target)} ` : ''
    return `${name}${rate === undefined ? `unknown (${printableLine(why)})` : percentAgainst(rate, required)}`
  })
  const each = targets.length > 1 ? ' of each target' : ''
  const parts = [
    `corrected pass rate ${texts.join(', ') || '0 %'}, ${percentAgainst(required, required)} required${each}`,
    ...(carried > 0 ? ['results that were carried over have no answers to correct'] : []),
  ]
  return { held: targets.length > 0 && failed.length === 0 && carried === 0, reason: parts.join(', ') }
}

function rateOf(tests: readonly TestOutcome[], correction: Correction | undefined): number | undefined {
  if (correction?.kind === 'corrected') return correction.is_guess ? undefined : correction.rate
  if (correction?.kind !== 'exact') return undefined
  return tests.reduce((sum, test) => sum + passShareWithoutReruns(test), 0) / tests.length
}

function whyNone(correction: Correction | undefined): string {
  if (correction?.kind === 'refused') return correction.reasons.join('; ')
  if (correction?.kind === 'corrected')
    return 'all labels are of answers with the same verdict: label some of the others with `assay label`, then run `assay calibrate`'
  const suites = correction?.kind === 'uncalibrated' ? ` of ${correction.suites.join(', ')}` : ''
  return `no calibration${suites}: label answers with \`assay label\`, then run \`assay calibrate\``
}
