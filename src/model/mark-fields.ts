import { lazily } from '../lib/lazily.ts'
import { visibleText, withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'

/** The fields of `execution` that mark a test. */
export const markFields = lazily(() => ({
  skip: withHints(
    visibleText().optional().describe('Why the test is not run. It is counted and reported as skipped.'),
    {
      value: reasonHint('skip'),
    },
  ),
  expected_failure: withHints(
    visibleText()
      .optional()
      .describe(
        'Why the test is known to fail. It runs; a failure does not fail the gate, and a pass does, so that the mark is removed.',
      ),
    { value: reasonHint('expected_failure') },
  ),
  quarantine: withHints(
    z
      .strictObject({
        reason: visibleText().describe('Why the test is in quarantine.'),
        until: withHints(
          z
            .day('is not a date: write it as `YYYY-MM-DD`')
            .describe('The last day of the quarantine, as `YYYY-MM-DD`. From the next day on, the mark is an error.'),
          { value: () => 'write a date, such as `until: 2026-12-31`' },
        ),
      })
      .optional()
      .describe('The test runs and is reported apart: it counts in no figure and fails no gate.'),
    { value: () => 'write `quarantine: {reason: "why", until: 2026-12-31}`' },
  ),
}))

/** The hint for a mark without a reason, such as `skip: true`. */
function reasonHint(key: string): (found: unknown) => string {
  return found =>
    found === false ? `remove it; a test without \`${key}\` is not marked` : `write the reason: \`${key}: "why"\``
}
