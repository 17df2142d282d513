import { groupBy } from '../../lib/collections.ts'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { correctedGate } from './corrected/corrected-gate.ts'
import type { TargetCorrection } from './corrected/correction.ts'
import { passShareWithoutReruns } from './estimates.ts'
import { isExpectedFailure, isUnexpectedPass, standingTexts } from './marked-tests.ts'
import { isBelow, percentAgainst } from './required-rate.ts'
import type { Outcome } from './run-outcome.ts'
import type { TestOutcome } from './test-outcome.ts'

export interface GateOptions {
  /** The mildest verdict that fails the gate. */
  readonly fail_on?: 'fail' | 'borderline' | undefined
  /** Replaces `fail_on`: the pass rate that each target must reach. */
  readonly min_pass_rate?: number | undefined
  /** Which pass rate is compared with it: as judged, or corrected by labels of people. Default: raw. */
  readonly gate?: 'corrected' | 'raw' | undefined
  /** Whether a test that passed in any attempt is accepted, regardless of its verdict. */
  readonly allow_flaky?: boolean | undefined
}

export interface GateResult {
  readonly held: boolean
  /** Number of tests with errors that fail the gate. */
  readonly errors: number
  /** Reason as text. */
  readonly reason: string
}

/**
 * Evaluates the quality gate of a run. Errors, missing attempts and unexpected passes fail it; verdicts of a control arm
 * and of tests in quarantine do not count.
 */
export function evaluateGate(
  outcome: Outcome,
  options: GateOptions,
  corrections: readonly TargetCorrection[] = [],
): GateResult {
  const { min_pass_rate, allow_flaky = false } = options
  const isAllowed = ({ passed }: TestOutcome) => allow_flaky && passed > 0
  const tests = outcome.tests.filter(({ is_control }) => !is_control)
  const errors = tests.filter(test => test.verdict === 'error' && !isAllowed(test)).length
  const { held, reason } =
    min_pass_rate === undefined
      ? verdictGate(tests, options, isAllowed)
      : passRateGate(tests, outcome, options, corrections)
  const parts = [
    reason,
    ...standingTexts(tests).map(({ text }) => text),
    ...withoutControl(outcome),
    ...(outcome.quarantined.length > 0 ? [`without ${outcome.quarantined.length} quarantined`] : []),
    ...(errors > 0 ? [`${plural(errors, 'test')} with errors`] : []),
    ...(outcome.not_run > 0 ? [`${plural(outcome.not_run, 'attempt')} not made`] : []),
  ]
  const isEmpty = tests.length === 0 && outcome.tests.length > 0 && outcome.quarantined.length === 0
  const isWhole = errors === 0 && outcome.not_run === 0 && !isEmpty
  const isExpected = !tests.some(isUnexpectedPass)
  return { held: held && isWhole && isExpected, errors, reason: parts.filter(part => part !== '').join(', ') }
}

/** `without the control arm without-skill`; nothing if the run has none. */
function withoutControl({ tests }: Outcome): string[] {
  const controls = new Set(tests.filter(({ is_control }) => is_control).map(({ target }) => printableLine(target)))
  return controls.size === 0
    ? []
    : [`without the control arm${controls.size > 1 ? 's' : ''} ${[...controls].join(', ')}`]
}

function verdictGate(
  tests: readonly TestOutcome[],
  { fail_on }: GateOptions,
  isAllowed: (test: TestOutcome) => boolean,
): Pick<GateResult, 'held' | 'reason'> {
  const below = tests.filter(test => test.verdict !== 'pass' && !isExpectedFailure(test))
  const isFailed = ({ verdict }: TestOutcome) => verdict === 'fail' || verdict === fail_on
  const failed = below.filter(test => isFailed(test) && !isAllowed(test)).length
  const allowed = below.filter(isAllowed).length
  const reasons = [
    ...(failed > 0 ? [`${failed} of ${plural(tests.length, 'test')} failed`] : []),
    ...(tests.length === 0 ? ['no test ran'] : []),
    // An unexpected pass is the reason by itself.
    ...(failed === 0 && tests.length > 0 && !tests.some(isUnexpectedPass) ? ['no test failed'] : []),
    ...(allowed > 0 ? [`${allowed} flaky and allowed`] : []),
  ]
  return { held: failed === 0, reason: reasons.join(', ') }
}

function passRateGate(
  tests: readonly TestOutcome[],
  { planned_tests, tests: all, carried }: Outcome,
  { min_pass_rate: required = 1, gate }: GateOptions,
  corrections: readonly TargetCorrection[],
): Pick<GateResult, 'held' | 'reason'> {
  const missing = planned_tests - all.length
  if (gate !== 'corrected') return rateGate(tests, missing, required)
  return correctedGate(tests, { corrections, missing, carried: carried?.tests.length ?? 0, required })
}

interface TargetRate {
  readonly target: string
  readonly rate: number
}

/** Ignores attempts added by reruns, which repeat only failures. A test without attempts did not pass. */
function rateGate(
  tests: readonly TestOutcome[],
  missing: number,
  required: number,
): Pick<GateResult, 'held' | 'reason'> {
  const rates = [...groupBy(tests, ({ target }) => target)].map(([target, group]): TargetRate => {
    const passed = group.reduce((sum, test) => sum + passShareWithoutReruns(test), 0)
    return { target, rate: passed / (group.length + missing) }
  })
  const low = rates.filter(({ rate }) => isBelow(rate, required))
  const rateTexts = (low.length > 0 ? low : rates).map(({ target, rate }) => {
    const name = rates.length > 1 ? `${printableLine(target)} ` : ''
    return `${name}${percentAgainst(rate, required)}`
  })
  const each = rates.length > 1 ? ' of each target' : ''
  const without = tests.some(({ first }) => first) ? ' without reruns' : ''
  return {
    held: rates.length > 0 && low.length === 0,
    reason: `pass rate${without} ${rateTexts.join(', ') || '0 %'}, ${percentAgainst(required, required)} required${each}`,
  }
}
