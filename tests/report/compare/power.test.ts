import { describe, expect, it } from 'vitest'
import { compared, type Scored, singles, times } from './sides.ts'

const trials = (...scores: readonly number[][]): Record<string, Scored> =>
  Object.fromEntries(scores.map((each, index) => [`t${index}`, each]))

describe('the detectable difference', () => {
  it('is 2.80 standard errors', () => {
    const { detectable, evidence } = compared(
      singles(times([60, 1], [40, 0])),
      singles(times([50, 1], [10, 0], [15, 1], [25, 0])),
    )
    expect(detectable).toBeCloseTo(2.8016 * (evidence?.standard_error ?? 0), 4)
  })

  it('is at least five binary tests, which a verdict needs', () => {
    const same = (count: number) => compared(singles(times([count, 1])), singles(times([count, 1]))).detectable
    // P(Bin(20, 0.3133) ≥ 5) and P(Bin(200, 0.03338) ≥ 5) are 80 %.
    expect(same(20)).toBeCloseTo(0.3133, 4)
    expect(same(200)).toBeCloseTo(0.03338, 5)
    expect(same(5)).toBeCloseTo(0.8 ** (1 / 5), 9)
  })

  it('uses the permutation test if the sides have different numbers of trials', () => {
    const after = trials(...Array.from({ length: 20 }, (_, index) => (index < 7 ? [1, 1, 0, 1, 1] : [1, 1, 1, 1, 1])))
    const { detectable, needed } = compared(singles(times([20, 1])), after)
    // One of the six attempts of each of 7 tests fails: a variance of 1/6, on sides of one and five attempts.
    const error = Math.sqrt((7 * (1 / 6) * (1 + 1 / 5)) / 20 / 20)
    expect(detectable).toBeCloseTo(2.8016 * error, 4)
    expect(needed?.tests).toBe(Math.ceil(((2.8015852 * error) / 0.07) ** 2 * 20))
  })

  it('is at least six tests of the usual difference if a verdict needs six', () => {
    const same = trials(...Array.from({ length: 6 }, () => [1, 1]))
    expect(compared(same, same).detectable).toBeCloseTo(0.8 ** (1 / 6), 9)
    // Two of six tests lose 0.5; a verdict needs this in all six.
    const after = trials(...Array.from({ length: 6 }, (_, index) => (index < 2 ? [1, 0] : [1, 1])))
    const { detectable, evidence } = compared(same, after)
    expect(detectable).toBeCloseTo(Math.max(0.8 ** (1 / 6) / 2, 2.8015852 * (evidence?.standard_error ?? 0)), 6)
  })

  it('is undefined for fewer tests than a verdict needs', () => {
    const same = singles(times([4, 1]))
    expect(compared(same, same).detectable).toBeUndefined()
    const scored = singles(times([5, 0.5]))
    expect(compared(scored, scored).detectable).toBeUndefined()
    expect(compared({ a: [1] }, { a: [0] }).detectable).toBeUndefined()
  })

  it('is undefined if it would exceed 1', () => {
    const [low, high] = [times([3, 0.05], [3, 0.95]), [0.95, 0.95, 0.9, 0.05, 0.05, 0.1]]
    expect(compared(singles(low), singles(high)).detectable).toBeUndefined()
  })
})

describe('the required sample', () => {
  it('is about 41 tests if 4 of 24 are worse', () => {
    const { needed } = compared(singles(times([24, 1])), singles(times([4, 0], [20, 1])))
    expect(needed).toEqual({ difference: expect.closeTo(-1 / 6, 9), tests: 41, trials: undefined })
  })

  it('is never below the number of tests that must differ', () => {
    const { needed } = compared({ a: [1], b: [0.9], c: [1] }, { a: [0.2], b: [0.2], c: [0.25] })
    expect(needed).toMatchObject({ tests: 6 })
  })

  it('assumes a difference of 0.05 if the sides do not differ', () => {
    expect(compared(singles([1, 0, 1, 0, 1, 0]), singles([0, 1, 1, 0, 1, 0])).needed?.difference).toBe(0.05)
  })

  it('is unknown if nothing varies, or if the loss is within the margin', () => {
    expect(compared(singles([1, 0, 1]), singles([1, 0, 1])).needed).toBeUndefined()
    const [before, after] = [singles(times([60, 1], [40, 0])), singles(times([56, 1], [4, 0], [2, 1], [38, 0]))]
    expect(compared(before, after, 0.03).needed).toBeUndefined()
    expect(compared(before, after, 0.01).needed).toMatchObject({ difference: expect.closeTo(-0.01, 9) })
  })
})

describe('the required number of trials', () => {
  it('follows from the variance within tests', () => {
    const before = trials(...Array.from({ length: 10 }, () => [1, 0, 1, 0]))
    const after = trials(
      ...Array.from({ length: 10 }, (_, index) => (index < 4 ? [0, 0, 1, 0] : index < 7 ? [1, 1, 1, 0] : [1, 0, 1, 0])),
    )
    // Variances within tests: 1/3 before; 1/4, 1/4 and 1/3 after. The variance between tests is 0.
    const { needed, evidence } = compared(before, after)
    const within = 1 / 3 + (7 * 0.25 + 3 / 3) / 10
    const allowed = ((evidence?.deviation ?? 0) ** 2 * 10) / (needed?.tests ?? 0)
    expect(needed).toMatchObject({ tests: 602, trials: Math.ceil(within / allowed) })
  })

  it('respects the trials of each side: 2 against 10 cannot be enough if the tests themselves differ', () => {
    const [low, high] = [times([8, 0], [2, 0.75]), times([2, 0], [8, 0.75])]
    const before = trials(...Array.from({ length: 10 }, () => [0.4, 0.4]))
    const after = trials(...Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? low : high)))
    const { needed } = compared(before, after)
    expect([needed?.tests, needed?.trials]).toEqual([expect.any(Number), undefined])
  })

  it('is undefined for fewer tests than must differ', () => {
    const few = compared(trials([1, 0, 1, 0], [1, 1, 1, 0]), trials([1, 0, 0, 0], [1, 1, 1, 0]))
    expect(few.needed).toMatchObject({ tests: expect.any(Number), trials: undefined })
  })

  it('is unknown if a side has one trial', () => {
    const before = trials([1], [0], [1], [0], [1], [0], [1])
    const after = trials([1, 0], [1, 0], [1, 1], [0, 0], [0, 0], [0, 1], [1, 0])
    const { needed } = compared(before, after)
    expect([needed?.tests, needed?.trials]).toEqual([expect.any(Number), undefined])
  })
})
