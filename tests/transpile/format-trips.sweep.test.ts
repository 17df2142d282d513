import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/transpile/transpile.ts'
import { expectAnnounced, expectStable, FORMAT_PAIRS, suites } from '../support/format-trips.ts'

/** `format-trips.test.ts` has a few of each. `TRIPS=500` takes about five minutes. */
const RUNS = { numRuns: Number(process.env['TRIPS'] ?? 100) }

describe('a suite in another format', () => {
  it.each(FORMATS.map(format => [format]))('is written the same again after it was read: %s', async format => {
    await fc.assert(
      fc.asyncProperty(suites, suite => expectStable(suite, format)),
      RUNS,
    )
  })

  it.each(FORMAT_PAIRS)('from %s to %s and back: every difference is reported', async (first, second) => {
    await fc.assert(
      fc.asyncProperty(suites, suite => expectAnnounced(suite, first, second)),
      RUNS,
    )
  })
})

it('every pair of formats is tested', () => {
  expect(FORMAT_PAIRS).toHaveLength(6)
})
