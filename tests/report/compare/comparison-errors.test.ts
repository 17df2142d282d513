import { describe, expect, it } from 'vitest'
import { compareSides } from '../../../src/report/compare/comparison.ts'
import { compared, type Scored, sideOf, singles, times } from './sides.ts'

const outcomes = (...scores: (number | null)[]): Record<string, Scored> =>
  Object.fromEntries(scores.map((score, index) => [`t${index}`, [score]]))
const each = (count: number, score: number | null) => Array<number | null>(count).fill(score)

describe('a test with an error', () => {
  it('is compared: 39 of 40 crashed tests do not shrink the comparison', () => {
    const comparison = compared(singles(times([40, 1])), outcomes(...each(39, null), 1))
    expect(comparison.pairs).toHaveLength(40)
    expect(comparison).toMatchObject({ errors: { before: 0, after: 39 }, errors_rose: true })
    expect(comparison.evidence?.mean).toBe(-0.975)
  })

  it('is left out of a second analysis, which exists only if there are errors', () => {
    const { without_errors, pairs } = compared(outcomes(1, 1, null, 0), outcomes(1, null, 1, 0))
    expect([pairs.length, without_errors?.tests, without_errors?.evidence?.mean]).toEqual([4, 2, 0])
    expect(compared(outcomes(1, 0), outcomes(0, 0)).without_errors).toBeUndefined()
  })
})

describe('if the two analyses disagree', () => {
  it('there is no verdict: 6 more passes are not better if 6 other tests crash', () => {
    const comparison = compared(
      singles(times([20, 0], [20, 1])),
      outcomes(...each(6, 1), ...each(14, 0), ...each(6, null), ...each(14, 1)),
    )
    expect(comparison).toMatchObject({
      verdict: 'inconclusive',
      verdict_with_errors: 'inconclusive',
      without_errors: { tests: 34, verdict: 'better' },
      errors_decide: true,
    })
  })

  it('there is no verdict: passes that became crashes are not worse', () => {
    const comparison = compared(singles(times([20, 1])), outcomes(...each(10, null), ...each(10, 1)))
    expect(comparison).toMatchObject({
      verdict: 'inconclusive',
      verdict_with_errors: 'worse',
      without_errors: { verdict: 'inconclusive', evidence: { mean: 0 } },
      errors_decide: true,
    })
  })

  it('the second analysis is undefined if every test has an error', () => {
    const comparison = compared(singles(times([10, 1])), outcomes(...each(10, null)))
    expect(comparison).toMatchObject({
      verdict: 'inconclusive',
      without_errors: { tests: 0, evidence: undefined, verdict: 'inconclusive' },
    })
  })
})

describe('if the two analyses agree', () => {
  it('the verdict stays', () => {
    const comparison = compared(singles(times([40, 1])), outcomes(...each(15, 0), null, ...each(24, 1)))
    expect(comparison).toMatchObject({ verdict: 'worse', errors_decide: false, without_errors: { verdict: 'worse' } })
  })

  it('20 failures that become 8 passes and 12 crashes are better, with more errors', () => {
    const comparison = compared(singles(times([20, 0])), outcomes(...each(8, 1), ...each(12, null)))
    expect(comparison).toMatchObject({ verdict: 'better', without_errors: { tests: 8 }, errors_rose: true })
  })
})

it('adjusts several comparisons together in both analyses', () => {
  const crashed = [sideOf('a', singles(times([9, 1]))), sideOf('b', outcomes(...each(8, 0), null))] as const
  const plain = [sideOf('a', singles(times([9, 1]))), sideOf('b', singles(times([6, 0], [3, 1])))] as const
  const [first, second] = compareSides([crashed, plain], 0)
  const close = (p: number) => expect.closeTo(p, 12)
  expect([first?.adjusted_p, second?.adjusted_p]).toEqual([close(2 / 512), close(1 / 64)])
  expect(first?.without_errors?.adjusted_p).toEqual(close(2 / 256))
})

describe('errors rose', () => {
  const rose = (before: Record<string, Scored>, after: Record<string, Scored>) => compared(before, after).errors_rose

  it('if the mean share of errors per test is higher at all', () => {
    expect(rose(outcomes(1, 1), outcomes(1, null))).toBe(true)
    expect(rose(outcomes(1, null), outcomes(1, null))).toBe(false)
    expect(rose(outcomes(1, null), outcomes(null, 1))).toBe(false)
    expect(rose({ a: [1, 1, null] }, { a: [null, 1] })).toBe(true)
    expect(rose({ a: [1, null] }, { a: [1, null, 1, null] })).toBe(false)
  })

  it('not through tests of one side only, or changed tests', () => {
    const changed = { scores: [null], test_hash: 'other' }
    expect(rose({ a: [1], b: [1] }, { a: [1], b: changed, c: [null] })).toBe(false)
  })
})
