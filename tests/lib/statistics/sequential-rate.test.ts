import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateBoundaries, showable } from '../../../src/lib/statistics/rate-boundaries.ts'
import { SequentialRate } from '../../../src/lib/statistics/sequential-rate.ts'
import { NOT_COUNTS, NOT_NUMBERS } from './invalid-numbers.ts'
import { LOOKS, RATE_BOUNDARIES } from './vectors/rate-boundaries.ts'
import { RATE_DECISIONS } from './vectors/sequential-rate.ts'

type Options = ConstructorParameters<typeof SequentialRate>[0]

function rateOf(options: Options, outcomes: readonly boolean[]): SequentialRate {
  const rate = new SequentialRate(options)
  for (const passed of outcomes) rate.add(passed)
  return rate
}

const times = (count: number, passed: boolean) => new Array<boolean>(count).fill(passed)

const runs = fc
  .record({
    threshold: fc.constantFrom(0, 0.05, 0.5, 0.8, 0.9, 1),
    outcomes: fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }),
    more: fc.nat(20),
  })
  .map(({ threshold, outcomes, more }) => ({ options: { threshold, most: outcomes.length + more }, outcomes }))

describe('a rate against a threshold', () => {
  it.each(RATE_DECISIONS)('is decided as published: $threshold, $most, $outcomes', ({ outcomes, ...vector }) => {
    const rate = rateOf(
      vector,
      Array.from(outcomes, digit => digit === '1'),
    )
    expect(rate.decision).toBe(vector.decision)
    expect([rate.tests, rate.passes]).toEqual([vector.after, vector.passes])
    expect(rate.interval.low).toBeCloseTo(vector.low, 6)
    expect(rate.interval.high).toBeCloseTo(vector.high, 6)
  })

  it('is not shown only where no further outcomes could show it', () => {
    fc.assert(
      fc.property(runs, ({ options, outcomes }) => {
        const rate = rateOf(options, outcomes)
        const boundaries = new RateBoundaries(options)
        const ahead = (passed: boolean) =>
          Array.from({ length: options.most - rate.tests }, (_, index) => {
            const tests = rate.tests + index + 1
            return passed
              ? rate.passes + index + 1 >= (boundaries.passesFrom(tests) ?? Number.POSITIVE_INFINITY)
              : tests - rate.passes >= (boundaries.failuresFrom(tests) ?? Number.POSITIVE_INFINITY)
          }).includes(true)
        if (rate.decision === 'not-shown') expect(ahead(true) || ahead(false)).toBe(false)
        if (rate.decision === undefined) expect(ahead(true) || ahead(false)).toBe(true)
      }),
    )
  })

  it('mirrors where passes are failures', () => {
    const mirrored = { above: 'below', below: 'above', 'not-shown': 'not-shown' } as const
    fc.assert(
      fc.property(runs, ({ options, outcomes }) => {
        const rate = rateOf({ ...options, threshold: 1 - options.threshold }, outcomes)
        const other = rateOf(
          { ...options, threshold: 1 - (1 - options.threshold) },
          outcomes.map(passed => !passed),
        )
        expect(other.decision).toBe(rate.decision && mirrored[rate.decision])
        expect(other.interval.low).toBeCloseTo(1 - rate.interval.high, 9)
      }),
    )
  })

  it('has an interval that contains the rate, and excludes the threshold once it is decided and not before', () => {
    fc.assert(
      fc.property(runs, ({ options, outcomes }) => {
        const { threshold } = options
        const { decision, interval, passes, tests } = rateOf(options, outcomes)
        expect(0 <= interval.low && interval.high <= 1).toBe(true)
        if (tests > 0) expect(interval.low <= passes / tests && passes / tests <= interval.high).toBe(true)
        if (decision === 'above') expect(interval.low).toBeGreaterThanOrEqual(threshold)
        else if (decision === 'below') expect(interval.high).toBeLessThanOrEqual(threshold)
        else expect(interval.low <= threshold && threshold <= interval.high).toBe(true)
      }),
    )
  })

  it('has an interval up to the threshold where bounds that do not rise with the rate let it go further', () => {
    const outcomes = Array.from('01110010100', digit => digit === '1')
    const { decision, tests, interval } = rateOf({ threshold: 0.8, most: 15 }, outcomes)
    expect([decision, tests, interval.high]).toEqual(['below', 11, 0.8])
  })

  it('ignores outcomes after the decision', () => {
    const rate = rateOf({ threshold: 0.9, most: 50 }, times(12, false))
    const { tests, interval } = rate
    expect([rate.decision, tests]).toEqual(['below', 4])
    rate.add(true)
    expect([rate.tests, rate.passes, rate.interval]).toEqual([tests, 0, interval])
  })

  it('is above 0 with the first pass and below 1 with the first failure, and no more can be shown of these', () => {
    expect(rateOf({ threshold: 0, most: 9 }, [false, false, true])).toMatchObject({ decision: 'above', tests: 3 })
    expect(rateOf({ threshold: 1, most: 9 }, [true, true, false])).toMatchObject({ decision: 'below', tests: 3 })
    expect(rateOf({ threshold: 0, most: 9 }, times(9, false)).decision).toBe('not-shown')
    expect(rateOf({ threshold: 1, most: 9 }, times(9, true)).decision).toBe('not-shown')
  })

  it.each([0, 1, 3])('is not shown from the beginning where %d tests can show nothing', most => {
    const rate = rateOf({ threshold: 0.5, most }, times(most, true))
    expect(rate).toMatchObject({ decision: 'not-shown', tests: 0, passes: 0, interval: { low: 0, high: 1 } })
  })
})

describe('what tests can show', () => {
  it.each(RATE_BOUNDARIES)(
    'as published: $threshold, $most, $alpha, $rho',
    ({ threshold, most, alpha, rho, ...vector }) => {
      const { first_above, first_below } = vector
      const expected = { above: first_above !== undefined, below: first_below !== undefined, first_above, first_below }
      expect(showable(threshold, most, alpha, rho)).toEqual(expected)
      const boundaries = new RateBoundaries({ threshold, most, alpha, rho })
      const looks = LOOKS.filter(tests => tests <= most)
      expect(looks.map(tests => boundaries.passesFrom(tests) ?? 0)).toEqual(vector.passes_from)
      expect(looks.map(tests => boundaries.failuresFrom(tests) ?? 0)).toEqual(vector.failures_from)
    },
  )

  it('is nothing for no tests, and one side for the ends of the scale', () => {
    expect(showable(0.9, 0)).toMatchObject({ above: false, below: false })
    expect(showable(0, 5)).toMatchObject({ above: true, first_above: 1, below: false })
    expect(showable(1, 5)).toMatchObject({ above: false, below: true, first_below: 1 })
  })
})

describe('invalid arguments', () => {
  it.each([...NOT_NUMBERS, -0.1, 1.1])('a threshold of %d', threshold => {
    expect(() => new SequentialRate({ threshold, most: 9 })).toThrow(RangeError)
    expect(() => showable(threshold, 9)).toThrow(RangeError)
  })

  it.each(NOT_COUNTS)('%d tests', most => {
    expect(() => new SequentialRate({ threshold: 0.9, most })).toThrow(RangeError)
  })
})
