import { assertCount, assertPart } from './assertions.ts'
import { mean, standardError } from './means.ts'
import { type RateEstimate, rateOf } from './rater-agreement.ts'

/** Whether a judge that is asked again says the same. */
export interface JudgeConsistency {
  /** The chance that two calls on the same answer agree. */
  readonly agreement_of_two_calls: number
  /** Undefined for one answer. */
  readonly standard_error: number | undefined
  /** Answers of which the calls do not all say the same. */
  readonly answers_that_flip: number
  readonly flip_rate: RateEstimate
}

/** The consistency of `calls` on each answer, `passes` of which pass it. Undefined without answers or with one call. */
export function judgeConsistency(calls: number, passes: readonly number[]): JudgeConsistency | undefined {
  assertCount('The number of calls', calls)
  for (const count of passes) {
    assertCount('A number of passes', count)
    assertPart(count, calls)
  }
  const flips = passes.filter(count => count > 0 && count < calls).length
  const flip_rate = rateOf(flips, passes.length)
  if (calls < 2 || !flip_rate) return undefined
  const agreements = passes.map(count => {
    const fails = calls - count
    return (count * (count - 1) + fails * (fails - 1)) / (calls * (calls - 1))
  })
  return {
    agreement_of_two_calls: mean(agreements),
    standard_error: standardError(agreements)?.standardError,
    answers_that_flip: flips,
    flip_rate,
  }
}
