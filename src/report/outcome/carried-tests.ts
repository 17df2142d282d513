import { plural } from '../../lib/text/format.ts'
import { isQuarantined } from '../../model/mark.ts'
import { apartTexts, isUnexpectedPass, standingOf, standingTexts } from './marked-tests.ts'
import { type CarriedTests, countsOf, isNotable } from './run-outcome.ts'
import type { TestOutcome } from './test-outcome.ts'

/** `37 tests carried over from baseline main: 34 pass, 2 fail, 1 expected failure`, by the marks of the suite as it is now. */
export function carriedText({ from, tests }: CarriedTests): string {
  const counted = tests.filter(test => !isQuarantined(test))
  const counts = countsOf(counted.filter(test => !standingOf(test)))
  const texts = [
    ...Object.entries(counts).flatMap(([verdict, count]) => (count > 0 ? [`${count} ${verdict}`] : [])),
    ...standingTexts(counted).map(({ text }) => text),
    ...apartTexts({ quarantined: tests.filter(isQuarantined), skipped: [] }),
  ]
  return `${plural(tests.length, 'test')} carried over from ${from}${texts.length > 0 ? `: ${texts.join(', ')}` : ''}`
}

/** The tests that were carried over and did not pass, though they should, or passed, though they should not. */
export function carriedProblems(carried: CarriedTests | undefined): readonly TestOutcome[] {
  return (carried?.tests ?? []).filter(test => isNotable(test) || isUnexpectedPass(test))
}
