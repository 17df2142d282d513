import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../src/transpile/transpile.ts'
import { expectAnnounced, expectStable, FORMAT_PAIRS, suites } from '../support/format-trips.ts'

/** `format-trips.sweep.test.ts` has 100 of each. */
const RUNS = { numRuns: 4, seed: 7 }

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
