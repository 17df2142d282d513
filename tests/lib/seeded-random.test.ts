import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/lib/seeded-random.ts'

const take = (count: number, random: () => number) => Array.from({ length: count }, random)

describe('seeded random numbers', () => {
  it('are equal for equal seeds, and differ for others', () => {
    expect(take(10, seededRandom(7))).toEqual(take(10, seededRandom(7)))
    expect(take(10, seededRandom(7))).not.toEqual(take(10, seededRandom(8)))
  })

  it('are uniform in 0..1, below 1', () => {
    const numbers = take(100_000, seededRandom(1))
    expect(numbers.every(value => value >= 0 && value < 1)).toBe(true)
    for (let part = 0; part < 10; part++) {
      const count = numbers.filter(value => Math.floor(value * 10) === part).length
      // Five standard deviations of a count with a mean of 10,000.
      expect(Math.abs(count - 10_000)).toBeLessThan(475)
    }
  })

  it('do not depend on the previous number', () => {
    const numbers = take(100_000, seededRandom(2))
    const products = numbers.slice(1).map((value, index) => (value - 0.5) * ((numbers[index] ?? 0) - 0.5))
    expect(Math.abs(products.reduce((sum, product) => sum + product, 0)) / 100_000).toBeLessThan(0.0015)
  })
})
