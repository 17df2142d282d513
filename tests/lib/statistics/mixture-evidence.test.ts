import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { mixtureEvidence, mixtureInterval } from '../../../src/lib/statistics/mixture-evidence.ts'
import { expectClose } from './expect-close.ts'
import { NOT_INSIDE, NOT_NUMBERS } from './invalid-numbers.ts'
import { MIXTURES } from './vectors/mixture-evidence.ts'

const samples = fc.array(fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 30 })

describe('evidence against a mean', () => {
  it.each(MIXTURES)('is as published: $mean, $values', ({ mean, values, above, below }) => {
    const evidence = mixtureEvidence(values, mean)
    expectClose(evidence.above, above, 1e-11)
    expectClose(evidence.below, below, 1e-11)
  })

  it('is the mean of the products of all bets', () => {
    const values = [0.2, 0.9, 0, 1, 0.55]
    const productOf = (stake: number) =>
      values.reduce((product, value) => product * (1 + (stake * (value - 0.4)) / 0.4), 1)
    const products = Array.from({ length: 39 }, (_, index) => productOf(((index + 1) / 40) ** 2))
    expectClose(mixtureEvidence(values, 0.4).above, products.reduce((sum, product) => sum + product, 0) / 39, 1e-12)
  })

  it('is 1 on average if the mean is true, for all outcomes of coins', () => {
    for (const mean of [0.1, 0.5, 0.8]) {
      let expected = 0
      for (let outcomes = 0; outcomes < 2 ** 8; outcomes++) {
        const values = Array.from({ length: 8 }, (_, index) => (outcomes >> index) & 1)
        const chance = values.reduce((product, value) => product * (value === 1 ? mean : 1 - mean), 1)
        expected += chance * mixtureEvidence(values, mean).above
      }
      expect(expected).toBeCloseTo(1, 10)
    }
  })

  it('is a finite number for many values', () => {
    const { above, below } = mixtureEvidence(new Array<number>(5000).fill(1), 0.1)
    expect(above).toBe(Number.MAX_VALUE)
    expect(below).toBeGreaterThanOrEqual(0)
  })

  it('is shown in at most alpha of the runs that are looked at after every value', () => {
    const random = seededRandom(3)
    let shown = 0
    for (let run = 0; run < 200; run++) {
      const values: number[] = []
      const isShown = Array.from({ length: 30 }, () => {
        values.push(Number(random() < 0.8))
        return mixtureEvidence(values, 0.8).below >= 40
      })
      if (isShown.includes(true)) shown++
    }
    expect(shown / 200).toBeLessThan(0.05)
  })
})

describe('the interval of means', () => {
  it('contains exactly the means without evidence against them', () => {
    fc.assert(
      fc.property(samples, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (values, mean) => {
        const { low, high } = mixtureInterval(values)
        const { above, below } = mixtureEvidence(values, mean)
        if (mean < low - 1e-9) expect(above).toBeGreaterThanOrEqual(40)
        else if (mean > low + 1e-9) expect(above).toBeLessThan(40)
        if (mean > high + 1e-9) expect(below).toBeGreaterThanOrEqual(40)
        else if (mean < high - 1e-9) expect(below).toBeLessThan(40)
      }),
    )
  })

  it('does not depend on the order of the values, but for rounding, and mirrors', () => {
    fc.assert(
      fc.property(samples, values => {
        const { low, high } = mixtureInterval(values)
        expect(low).toBeLessThan(high)
        expect(mixtureInterval(values.toReversed()).low).toBeCloseTo(low, 9)
        expect(1 - mixtureInterval(values.map(value => 1 - value)).high).toBeCloseTo(low, 9)
      }),
    )
  })

  it('is everything without values, and narrower with a larger error probability', () => {
    expect(mixtureInterval([])).toEqual({ low: 0, high: 1 })
    const values = Array.from({ length: 40 }, (_, index) => Number(index % 4 > 0))
    expect(mixtureInterval(values, 0.1).low).toBeGreaterThan(mixtureInterval(values, 0.01).low)
  })
})

describe('invalid arguments', () => {
  it.each([...NOT_NUMBERS, -0.1, 1.1])('a value of %d', value => {
    expect(() => mixtureEvidence([0.5, value], 0.5)).toThrow(RangeError)
    expect(() => mixtureInterval([0.5, value])).toThrow(RangeError)
  })

  it.each(NOT_INSIDE)('a mean or an error probability of %d', value => {
    expect(() => mixtureEvidence([0.5], value)).toThrow(RangeError)
    expect(() => mixtureInterval([0.5], value)).toThrow(RangeError)
  })
})
