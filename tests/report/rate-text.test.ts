import { expect, it } from 'vitest'
import { formatMeanScore, formatPercent, formatRate } from '../../src/report/estimates-text.ts'
import { rateOf } from '../../src/report/outcome/estimates.ts'

it.each<[count: number, of: number, text: string]>([
  [28, 31, '90 % [75–97]'],
  [17, 20, '85 % [64–95]'],
  [5, 5, '100 % [57–100]'],
  [0, 5, '0 % [0–43]'],
  [1, 1, '100 %'],
  [999, 1000, '>99 % [99–>99]'],
  [1, 1000, '<1 % [<1–1]'],
])('%d of %d is %s', (count, of, text) => {
  const shares = Array.from({ length: of }, (_, index) => Number(index < count))
  const { mean: rate, interval } = rateOf(
    shares,
    shares.map(() => undefined),
  )
  expect(formatRate({ rate, interval })).toBe(text)
})

it('the rate of no tests is -', () => {
  expect(formatRate(undefined)).toBe('-')
})

it('a share that is not quite nothing or all does not look like it', () => {
  expect([0, 0.004, 0.005, 0.5, 0.994, 0.996, 1].map(formatPercent)).toEqual([
    '0 %',
    '<1 %',
    '1 %',
    '50 %',
    '99 %',
    '>99 %',
    '100 %',
  ])
})

it('a score has its interval, where there is one, and the tests it is of, where that is not all', () => {
  const score = { mean: 0.72, tests: 28, interval: { low: 0.61, high: 0.832 } }
  expect(formatMeanScore(score)).toBe('0.72 [0.61–0.83]')
  expect(formatMeanScore(score, 28)).toBe('0.72 [0.61–0.83]')
  expect(formatMeanScore(score, 30)).toBe('0.72 [0.61–0.83] (28 of 30 tests)')
  expect(formatMeanScore({ mean: 0.5, tests: 1, interval: undefined })).toBe('0.50')
  expect(formatMeanScore(undefined)).toBe('-')
})
