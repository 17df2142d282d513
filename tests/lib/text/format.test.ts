import { expect, it } from 'vitest'
import { formatInteger, formatPercent } from '../../../src/lib/text/format.ts'

it('never rounds a share to 0 or 100 %', () => {
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

it('separates the thousands of an integer', () => {
  expect([0, 999, 1000, 12_345, 1_234_567].map(formatInteger)).toEqual(['0', '999', '1,000', '12,345', '1,234,567'])
})
