import { withoutNullish } from '../../lib/objects.ts'
import { suiteFigures } from '../../model/aggregate-figures.ts'
import type { AggregateCase, AggregateResult } from '../../model/aggregate-result.ts'
import type { ComparedCase } from './compared-cases.ts'

/** The figures of all cases. A case with an error has not passed; one without any graded run is part of no mean. */
export function suiteTotals(
  written: readonly Pick<AggregateCase, 'aggregates'>[],
  cases: readonly ComparedCase[],
): AggregateResult['aggregates'] {
  const { casesTotal, ...means } = suiteFigures(written)
  const casesPassed = cases.filter(each => each.with.outcome.verdict === 'pass').length
  return { casesTotal, casesPassed, ...withoutNullish(means) }
}
