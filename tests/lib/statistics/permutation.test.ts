import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { permutationWithin } from '../../../src/lib/statistics/permutation.ts'
import { cpuTimeOf } from '../../support/cpu-time.ts'
import { examples } from '../../support/random-examples.ts'
import { NOT_COUNTS, NOT_NUMBERS } from './invalid-numbers.ts'

type Sides = readonly [before: readonly number[], after: readonly number[]]

const passes = fc.constantFrom(0, 1)
const scores = fc.constantFrom(0, 0.25, 0.6, 1)
const sides = (value: fc.Arbitrary<number>) =>
  fc.tuple(fc.array(value, { minLength: 1, maxLength: 3 }), fc.array(value, { minLength: 1, maxLength: 3 }))
const smallCases = fc.array(fc.oneof(sides(passes), sides(scores)), { minLength: 1, maxLength: 3 })

describe('the permutation within tests', () => {
  it.each<[string, readonly Sides[], number]>([
    ['one test with a single way to differ so much', [[[0], [1, 1, 1]]], 1 / 4],
    [
      'two tests that both must',
      [
        [[0], [1, 1]],
        [[0], [1, 1]],
      ],
      1 / 9,
    ],
    ['scores', [[[0.1], [0.5, 0.9, 0.7]]], 1 / 4],
    [
      'sides of the same size, which may change places',
      [
        [
          [0, 0],
          [1, 1],
        ],
      ],
      1 / 3,
    ],
  ])('estimates the share over all permutations: %s', (_, tests, share) => {
    expect(Math.abs(permutationWithin(tests) - share)).toBeLessThan(noise(share, 9999))
  })

  it('agrees with the exact share over all permutations', () => {
    fc.assert(
      fc.property(smallCases, tests => {
        const share = byTryingAll(tests)
        expect(Math.abs(permutationWithin(tests, 4999) - share)).toBeLessThan(noise(share, 4999))
      }),
      { numRuns: examples(60), seed: 7 },
    )
  })

  it('draws the passes of many equal tests like scores', () => {
    const tests = Array.from(
      { length: 120 },
      (_, index): Sides => [[Number(index % 3 > 0)], [1, 0, 1, Number(index % 5 > 1)]],
    )
    // Values slightly above 0 are not binary, so they are drawn one by one.
    const scored = tests.map(([before, after]): Sides => [before.map(almost), after.map(almost)])
    const [p, again] = [permutationWithin(tests), permutationWithin(scored)]
    expect(Math.abs(p - again)).toBeLessThan(2 * noise(p, 9999))
    expect(p).toBeGreaterThan(0.01)
  })

  it('is 1 if nothing differs or nothing varies', () => {
    expect(
      permutationWithin([
        [
          [1, 0],
          [0, 1],
        ],
      ]),
    ).toBe(1)
    expect(permutationWithin([[[0.3], [0.3, 0.3]]])).toBe(1)
    expect(
      permutationWithin([
        [[1], [1]],
        [[0, 0], [0]],
      ]),
    ).toBe(1)
  })

  it('includes tests without variance in the mean', () => {
    const varied: Sides[] = Array.from({ length: 12 }, () => [[0], [1, 1, 1]])
    const steady: Sides[] = Array.from({ length: 300 }, () => [[1], [1, 1, 1]])
    expect(permutationWithin([...varied, ...steady])).toBe(permutationWithin(varied))
  })

  it('is at least 1 / (draws + 1)', () => {
    const tests: Sides[] = Array.from({ length: 60 }, () => [[0], [1, 1, 1, 1, 1]])
    expect(permutationWithin(tests)).toBe(1 / 10_000)
    expect(permutationWithin(tests, 99)).toBe(1 / 100)
  })

  it('is deterministic, and similar if the sides are swapped', () => {
    const tests: Sides[] = Array.from({ length: 30 }, (_, index) => [[Number(index % 4 > 0)], [1, 0.5, index / 30]])
    const p = permutationWithin(tests)
    expect(permutationWithin(tests)).toBe(p)
    expect(permutationWithin(tests.map(([before, after]): Sides => [after, before]))).toBeCloseTo(p, 1)
  })

  it('draws 2,000 tests of one and five attempts in well under a second', async () => {
    const tests = Array.from({ length: 2000 }, (_, index): Sides => {
      const after = Array.from({ length: 5 }, (_, place) => Number((index * 7 + place * 3) % 10 > 1))
      return [[Number(index % 6 > 0)], after]
    })
    expect(await cpuTimeOf(() => permutationWithin(tests))).toBeLessThan(1000)
  })
})

describe('invalid arguments', () => {
  it('rejects an empty list and a side without values', () => {
    expect(() => permutationWithin([])).toThrow(new RangeError('There are no tests.'))
    expect(() => permutationWithin([[[], [1]]])).toThrow(new RangeError('There are no numbers.'))
    expect(() => permutationWithin([[[1], []]])).toThrow(RangeError)
  })

  it.each([...NOT_NUMBERS, -0.1, 1.1])('rejects the value %d', value => {
    expect(() => permutationWithin([[[1], [0, value]]])).toThrow(RangeError)
  })

  it.each([...NOT_COUNTS, 0])('rejects %d draws', draws => {
    expect(() => permutationWithin([[[1], [0]]], draws)).toThrow(RangeError)
  })
})

function almost(value: number): number {
  return Math.max(1e-12, value)
}

/** The deviation from the true share that occurs in about one of a million cases. */
function noise(share: number, draws: number): number {
  return 5 * Math.sqrt((share * (1 - share)) / draws) + 2 / draws
}

/** The exact share of permutations within tests whose mean difference is at least as large. */
function byTryingAll(tests: readonly Sides[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const observed = tests.reduce((sum, [before, after]) => sum + meanOf(after) - meanOf(before), 0)
  let sums = [0]
  for (const [before, after] of tests) {
    const all = [...before, ...after]
    const ways: number[] = []
    for (let mask = 0; mask < 2 ** all.length; mask++) {
      const drawn = all.filter((_, index) => (mask >> index) & 1)
      if (drawn.length !== before.length) continue
      ways.push(meanOf(all.filter((_, index) => !((mask >> index) & 1))) - meanOf(drawn))
    }
    sums = sums.flatMap(sum => ways.map(way => sum + way))
  }
  return sums.filter(sum => Math.abs(sum) >= Math.abs(observed) - 1e-9).length / sums.length
}
