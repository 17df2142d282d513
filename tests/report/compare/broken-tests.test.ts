import { describe, expect, it } from 'vitest'
import { compareSides } from '../../../src/report/compare/comparison.ts'
import { compared, type Scored, sideOf, times } from './sides.ts'

/** Tests whose trials all pass, except the first test, which passes `passes` times. */
const trials = (tests: number, attempts: number, passed = attempts): Record<string, Scored> =>
  Object.fromEntries(
    Array.from({ length: tests }, (_, index) => [
      `t${index}`,
      index === 0 ? times([passed, 1], [attempts - passed, 0]) : times([attempts, 1]),
    ]),
  )
const close = (p: number) => expect.closeTo(p, 12)

describe('a single test that broke', () => {
  it('is found by its own attempts, even if the mean shows nothing', () => {
    const { broke, mended, repeated_tests, verdict } = compared(trials(4, 5), trials(4, 5, 0))
    expect(verdict).toBe('inconclusive')
    expect([mended, repeated_tests]).toEqual([[], 4])
    expect(broke).toEqual([
      {
        suite: 'suite',
        test_id: 't0',
        before: { passed: 5, attempts: 5 },
        after: { passed: 0, attempts: 5 },
        p: close(2 / 252),
        adjusted_p: close(8 / 252),
      },
    ])
  })

  it('is not reported if chance explains it given the number of tests', () => {
    expect(compared(trials(8, 5), trials(8, 5, 0)).broke).toEqual([])
    expect(compared(trials(8, 10), trials(8, 10, 0)).broke).toHaveLength(1)
  })

  it('is reported as fixed the other way around', () => {
    const { broke, mended } = compared(trials(4, 5, 0), trials(4, 5))
    expect([broke, mended.map(({ test_id }) => test_id)]).toEqual([[], ['t0']])
  })

  it('can have one trial on one side, but not on both', () => {
    const after = trials(1, 60, 0)
    expect(compared({ t0: [1] }, after).broke.map(({ before, after, p }) => [before, after, p])).toEqual([
      [{ passed: 1, attempts: 1 }, { passed: 0, attempts: 60 }, close(2 / 61)],
    ])
    expect(compared({ t0: [1] }, { t0: [0] })).toMatchObject({ broke: [], repeated_tests: 0 })
  })

  it('counts an error as not passed', () => {
    expect(compared({ t0: times([6, 1]) }, { t0: Array<null>(6).fill(null) }).broke).toHaveLength(1)
  })
})

it('adjusts the tests of all comparisons together', () => {
  const pair = [sideOf('a', trials(3, 5)), sideOf('b', trials(3, 5, 0))] as const
  expect(compareSides([pair], 0)[0]?.broke).toHaveLength(1)
  const [first, second] = compareSides([pair, pair], 0)
  expect([first?.repeated_tests, first?.broke.length, second?.broke.length]).toEqual([6, 1, 1])
  const three = compareSides([pair, pair, pair], 0)
  expect(three.map(({ broke }) => broke.length)).toEqual([0, 0, 0])
})
