import { expect, it } from 'vitest'
import { formatPercent } from '../../../src/lib/text/format.ts'

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
