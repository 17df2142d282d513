import { describe, expect, it } from 'vitest'
import { forecastPairs, forecastRate } from '../../../src/lib/statistics/decision-forecast.ts'
import { RateBoundaries } from '../../../src/lib/statistics/rate-boundaries.ts'
import { NOT_COUNTS, NOT_NUMBERS } from './invalid-numbers.ts'

describe('the forecast of a rate', () => {
  it.each([
    [0.9, 100, 0.6, 0, 100, 19.5],
    [0.9, 100, 0.8, 0, 79.6, 65.2],
    [0.9, 100, 0.9, 2.2, 2.4, 91.2],
    [0.9, 200, 0.98, 99.9, 0, 87.7],
    [0.8, 100, 0.88, 51.4, 0, 78.4],
    [0.95, 100, 0.85, 0, 92.2, 52.7],
  ])('is exact: %d in %d tests at a rate of %d', (threshold, most, rate, above, below, tests) => {
    const forecast = forecastRate({ threshold, most, rate })
    expect(Number((100 * forecast.above).toFixed(1))).toBe(above)
    expect(Number((100 * forecast.below).toFixed(1))).toBe(below)
    expect(Number(forecast.mean_tests.toFixed(1))).toBe(tests)
  })

  it('is what all outcomes of 12 tests are, each with its probability', () => {
    const options = { threshold: 0.7, most: 12, alpha: 0.1 }
    const boundaries = new RateBoundaries(options)
    const expected = { above: 0, below: 0, mean_tests: 0 }
    for (let outcomes = 0; outcomes < 2 ** 12; outcomes++) {
      const passed = (tests: number) => (outcomes & (2 ** tests - 1)).toString(2).replaceAll('0', '').length
      const chance = 0.6 ** passed(12) * 0.4 ** (12 - passed(12))
      let tests = 1
      while (boundaries.decisionAt(tests, passed(tests)) === undefined) tests++
      const decision = boundaries.decisionAt(tests, passed(tests))
      if (decision === 'above' || decision === 'below') expected[decision] += chance
      expected.mean_tests += chance * tests
    }
    const forecast = forecastRate({ ...options, rate: 0.6 })
    expect(forecast.above).toBeCloseTo(expected.above, 12)
    expect(forecast.below).toBeCloseTo(expected.below, 12)
    expect(forecast.mean_tests).toBeCloseTo(expected.mean_tests, 12)
  })

  it('is certain for rates of 0 and 1', () => {
    expect(forecastRate({ threshold: 0.9, most: 50, rate: 0 })).toMatchObject({ above: 0, below: 1, mean_tests: 4 })
    expect(forecastRate({ threshold: 0.9, most: 50, rate: 1 })).toMatchObject({ above: 1, below: 0, mean_tests: 40 })
  })

  it.each([0, 1, 3])('is nothing where %d tests can show nothing', most => {
    expect(forecastRate({ threshold: 0.5, most, rate: 0.5 })).toEqual({ above: 0, below: 0, mean_tests: 0 })
  })

  it.each([...NOT_NUMBERS, -0.1, 1.1])('rejects a rate or threshold of %d', value => {
    expect(() => forecastRate({ threshold: 0.5, most: 9, rate: value })).toThrow(RangeError)
    expect(() => forecastRate({ threshold: value, most: 9, rate: 0.5 })).toThrow(RangeError)
  })
})

describe('the forecast of pairs', () => {
  const world = { tests: 50, most: 250, drop: 0.1, seed: 1 }

  it('is the same for the same seed', () => {
    expect(forecastPairs(world)).toEqual(forecastPairs(world))
    expect(forecastPairs({ ...world, seed: 2 })).not.toEqual(forecastPairs(world))
  })

  it('has more power and fewer pairs for a larger drop', () => {
    const [none, small, large] = [0, 0.1, 0.2].map(drop => forecastPairs({ ...world, drop }))
    expect(none!.power).toBeLessThan(0.05)
    expect(small!.power).toBeGreaterThan(0.7)
    expect(large!.power).toBeGreaterThan(0.99)
    expect(none!.mean_pairs).toBeGreaterThan(small!.mean_pairs)
    expect(small!.mean_pairs).toBeGreaterThan(large!.mean_pairs)
  })

  it('uses the rates of the tests: a test that never passes cannot get worse', () => {
    const rates = new Array<number>(50).fill(0)
    expect(forecastPairs({ ...world, rates, runs: 20 })).toEqual({ power: 0, mean_pairs: 250 })
  })

  it('shows nothing without tests', () => {
    expect(forecastPairs({ ...world, tests: 0, runs: 3 })).toEqual({ power: 0, mean_pairs: 0 })
  })

  it('rejects what only a bug can pass in', () => {
    expect(() => forecastPairs({ ...world, rates: [0.9] })).toThrow(new RangeError('50 tests with 1 rates.'))
    expect(() => forecastPairs({ ...world, rates: new Array<number>(50).fill(2) })).toThrow(RangeError)
    for (const drop of [...NOT_NUMBERS, -0.1, 1.1]) expect(() => forecastPairs({ ...world, drop })).toThrow(RangeError)
    for (const runs of [...NOT_COUNTS, 0]) expect(() => forecastPairs({ ...world, runs })).toThrow(RangeError)
  })
})
