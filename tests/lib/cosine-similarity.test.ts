import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cosineSimilarity } from '../../src/lib/cosine-similarity.ts'

describe('cosineSimilarity', () => {
  it.each([
    [[1, 0], [0, 1], 0],
    [[1, 0], [-2, 0], -1],
    [[1, 1], [1, 0], Math.SQRT1_2],
    // 3 * 4 + 4 * 3 = 24, lengths 5 and 5.
    [[3, 4], [4, 3], 0.96],
    // Squares that overflow, and that vanish.
    [[1e300, 1e300], [1e300, 0], Math.SQRT1_2],
    [[1e-300, 1e-300], [1e-300, 0], Math.SQRT1_2],
  ])('of %j and %j is %d', (one, other, cosine) => {
    expect(cosineSimilarity(one, other)).toBeCloseTo(cosine, 12)
  })

  it('does not exist for a vector of zeros', () => {
    expect(cosineSimilarity([0, 0], [1, 0])).toBeUndefined()
    expect(cosineSimilarity([1, 0], [0, -0])).toBeUndefined()
  })

  it('is from -1 to 1, symmetric, and 1 for the same direction', () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e200, max: 1e200 })
    const pair = fc.integer({ min: 1, max: 20 }).chain(length => {
      const vector = fc.array(value, { minLength: length, maxLength: length })
      return fc.tuple(vector, vector)
    })
    fc.assert(
      fc.property(pair, ([one, other]) => {
        const cosine = cosineSimilarity(one, other)
        if (cosine === undefined)
          return expect([one, other]).toContainEqual(one.map(() => expect.toSatisfy(x => x === 0)))
        expect(Math.abs(cosine)).toBeLessThanOrEqual(1)
        expect(cosineSimilarity(other, one)).toBeCloseTo(cosine, 12)
        expect(cosineSimilarity(one, one)).toBeCloseTo(1, 12)
      }),
    )
  })
})
