import { describe, expect, it } from 'vitest'
import { agreementOf } from '../../../src/report/compare/agreement.ts'
import { agreementText } from '../../../src/report/compare/text/run-comparison-text.ts'
import { type Scored, sideOf, singles } from './sides.ts'

const agreed = (before: Record<string, Scored>, after: Record<string, Scored>) =>
  agreementOf(sideOf('before', before).tests, sideOf('after', after).tests)

describe('the agreement of two gradings', () => {
  it('is the share of tests with the same verdict, with κ', () => {
    expect(agreed(singles([1, 1, 0, 0]), singles([1, 0, 0, 0]))).toEqual({
      tests: 4,
      errors: 0,
      share: 0.75,
      kappa: 0.5,
    })
  })

  it('keeps tests with the same name in different files apart', () => {
    const suites = (one: number, two: number): Record<string, Scored> => ({
      x: { scores: [one], test_id: 'a', file: 'one.yaml' },
      y: { scores: [two], test_id: 'a', file: 'two.yaml' },
    })
    expect(agreed(suites(1, 0), suites(1, 0))).toMatchObject({ tests: 2, share: 1, kappa: 1 })
  })

  it('keeps targets apart', () => {
    const targets = (one: number, two: number): Record<string, Scored> => ({
      x: { scores: [one], test_id: 'a', target: 'one' },
      y: { scores: [two], test_id: 'a', target: 'two' },
    })
    expect(agreed(targets(1, 0), targets(1, 0))).toMatchObject({ tests: 2, share: 1, kappa: 1 })
  })

  it('includes tests whose checks differ', () => {
    const other = { a: { scores: [1], test_hash: 'other' }, b: { scores: [0], test_hash: 'other' } }
    expect(agreed({ a: [1], b: [0] }, other)).toMatchObject({ tests: 2, share: 1 })
  })

  it('counts tests with an error on a side as not comparable', () => {
    expect(agreed({ a: [1], b: [null], c: [1] }, { a: [0], b: [1], c: [null] })).toMatchObject({ tests: 1, errors: 2 })
  })
})

describe('its text', () => {
  it.each([
    [{ tests: 3, errors: 0, share: 2 / 3, kappa: 0.4 }, '67 % of 3 tests have the same verdict, κ 0.40'],
    [
      { tests: 5, errors: 0, share: 1, kappa: undefined },
      '100 % of 5 tests have the same verdict, κ undefined (every verdict is the same)',
    ],
    [
      { tests: 2, errors: 1, share: 0.5, kappa: 0 },
      '50 % of 2 tests have the same verdict, κ 0.00; 1 test with errors not comparable',
    ],
    [
      { tests: 0, errors: 4, share: undefined, kappa: undefined },
      'no comparable tests; 4 tests with errors not comparable',
    ],
  ])('of %j', (agreement, text) => {
    expect(agreementText(agreement)).toBe(`same answers, graded twice: ${text}\n`)
  })

  it('reports κ as undefined if every verdict is the same', () => {
    expect(agreementText(agreed(singles([1, 1]), singles([1, 1])))).toContain('κ undefined')
  })
})
