import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { type NestedScores, varianceSplit } from '../../../src/lib/statistics/variance-split.ts'
import { NOT_NUMBERS } from './invalid-numbers.ts'
import { VARIANCE_SPLITS } from './vectors/variance-split.ts'

const score = fc.double({ min: 0, max: 1, noNaN: true })
const nested = fc.array(fc.array(fc.array(score, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }), {
  minLength: 1,
  maxLength: 8,
})

/** Scores with known standard deviations of tests, trials and judge calls: the error has two values. */
function simulated(size: readonly [number, number, number], deviations: readonly [number, number, number], seed = 1) {
  const random = seededRandom(seed)
  const either = (deviation: number) => (random() < 0.5 ? deviation : -deviation)
  const [tests, trials, calls] = size
  const [ofTest, ofTrial, ofCall] = deviations
  const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make)
  return times(tests, () => {
    const test = 0.5 + either(ofTest)
    return times(trials, () => {
      const trial = test + either(ofTrial)
      return times(calls, () => trial + either(ofCall))
    })
  })
}

describe('where the variance comes from', () => {
  it.each(VARIANCE_SPLITS)('is as published: mean $output.mean', ({ scores, output }) => {
    const split = varianceSplit(scores)
    for (const key of ['mean', 'trials', 'judge_calls', 'se_of_mean', 'se_on_these_tests'] as const) {
      expect(split[key]).toBeCloseTo(output[key], 9)
    }
    for (const key of ['variance', 'share', 'variance_of_mean', 'share_of_mean'] as const) {
      for (const source of ['test', 'trial', 'judge'] as const) {
        const expected = output[key][source]
        if (expected === null) expect(split[key][source]).toBeNull()
        else expect(split[key][source]).toBeCloseTo(expected, 9)
      }
    }
  })

  it('is found in scores of which it is known', () => {
    const { variance } = varianceSplit(simulated([4000, 3, 2], [0.2, 0.1, 0.05]))
    expect(variance.test).toBeCloseTo(0.04, 2)
    expect(variance.trial).toBeCloseTo(0.01, 3)
    expect(variance.judge).toBeCloseTo(0.0025, 4)
  })

  it('adds up to the variance of the mean of tests if nothing is cut off', () => {
    const scores = simulated([40, 3, 2], [0.3, 0.1, 0.1])
    const { se_of_mean, variance } = varianceSplit(scores)
    const means = scores.map(test => test.flat().reduce((sum, value) => sum + value, 0) / 6)
    const mean = means.reduce((sum, value) => sum + value, 0) / 40
    const between = means.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 39
    expect(variance.test).toBeGreaterThan(0)
    expect(se_of_mean ** 2).toBeCloseTo(between / 40, 12)
  })

  it('subtracts the judge from the tests where each has one trial', () => {
    const { variance } = varianceSplit(simulated([4000, 1, 2], [0.2, 0, 0.1]))
    expect(variance.trial).toBeNull()
    expect(variance.test).toBeCloseTo(0.04, 2)
    expect(variance.judge).toBeCloseTo(0.01, 3)
  })

  it('is never negative, its shares add up to 1, and its order does not matter', () => {
    fc.assert(
      fc.property(nested, scores => {
        const split = varianceSplit(scores)
        const known = Object.values(split.variance).filter(value => value !== null)
        expect(known.every(value => value >= 0)).toBe(true)
        const shares = Object.values(split.share).filter(value => value !== null)
        if (shares.length > 0) expect(shares.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9)
        expect(split.se_on_these_tests).toBeLessThanOrEqual(split.se_of_mean)
        const reversed = varianceSplit(scores.toReversed().map(test => test.toReversed()))
        expect(reversed.se_of_mean).toBeCloseTo(split.se_of_mean, 9)
      }),
    )
  })

  it.each<[title: string, scores: NestedScores, known: readonly string[]]>([
    ['one call', [[[1]]], []],
    ['one test', [[[1], [0]]], ['trial']],
    ['one trial of one test', [[[1, 0]]], ['judge']],
    ['one trial per test', [[[1]], [[0]]], ['test']],
  ])('is known as far as the scores tell: %s', (_title, scores, known) => {
    const { variance } = varianceSplit(scores)
    expect(Object.entries(variance).flatMap(([name, value]) => (value === null ? [] : name))).toEqual(known)
  })

  it('has no shares where nothing varies', () => {
    const split = varianceSplit(
      Array.from({ length: 3 }, () => [
        [0.1, 0.1],
        [0.1, 0.1],
      ]),
    )
    expect(split.share).toEqual({ test: null, trial: null, judge: null })
    expect([split.se_of_mean, split.most_useful, split.most_useful_on_these_tests]).toEqual([0, undefined, undefined])
  })
})

describe('what is most useful next', () => {
  it.each([
    ['tests that differ', [20, 3, 2], [0.3, 0.1, 0.1], 'test', 'trial'],
    ['more tests than trials', [20, 3, 2], [0, 0.3, 0], 'test', 'trial'],
    ['two tests of many trials', [2, 12, 2], [0, 0.3, 0], 'trial', 'trial'],
    ['a judge that guesses', [20, 3, 2], [0, 0, 0.3], 'judge', 'judge'],
  ] as const)('%s', (_title, size, deviations, expected, onThese) => {
    const split = varianceSplit(alternating(size, deviations))
    expect([split.most_useful, split.most_useful_on_these_tests]).toEqual([expected, onThese])
  })

  it('is another test where there is only one', () => {
    expect(varianceSplit([[[1], [0]]]).most_useful).toBe('test')
  })

  it('saves most per call, by trying each', () => {
    const [n, k, r] = [6, 5, 2] as const
    const split = varianceSplit(simulated([n, k, r], [0.05, 0.3, 0.2]))
    const { test, trial, judge } = split.variance
    const varianceOf = (tests: number, trials: number, calls: number) =>
      (test! + trial! / trials + judge! / trials / calls) / tests
    const callsOf = (tests: number, trials: number, calls: number) => tests * trials * (1 + calls)
    const gainOf = (...size: readonly [number, number, number]) =>
      (varianceOf(n, k, r) - varianceOf(...size)) / (callsOf(...size) - callsOf(n, k, r))
    const gains = { test: gainOf(n + 1, k, r), trial: gainOf(n, k + 1, r), judge: gainOf(n, k, r + 1) }
    const [best] = Object.entries(gains).sort(([, one], [, other]) => other - one)
    expect(split.most_useful).toBe(best?.[0])
  })
})

/** Scores with the errors in equal numbers of both signs, so that a deviation of 0 is found to be none. */
function alternating(size: readonly [number, number, number], deviations: readonly [number, number, number]) {
  const [tests, trials, calls] = size
  const signed = (index: number, deviation: number) => (index % 2 === 0 ? deviation : -deviation)
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  return numbers(tests).map(i =>
    numbers(trials).map(t =>
      numbers(calls).map(j => 0.5 + signed(i, deviations[0]) + signed(t, deviations[1]) + signed(j, deviations[2])),
    ),
  )
}

describe('invalid arguments', () => {
  it.each<[title: string, scores: NestedScores]>([
    ['no tests', []],
    ['a test without trials', [[[1]], []]],
    ['a trial without scores', [[[1], []]]],
    ...NOT_NUMBERS.map((value): [string, NestedScores] => [`a score of ${value}`, [[[1, value]]]]),
  ])('%s', (_title, scores) => {
    expect(() => varianceSplit(scores)).toThrow(RangeError)
  })
})
