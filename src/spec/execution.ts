import * as z from 'zod'
import { checkLists } from './check.ts'

const fields = {
  target: z.string().min(1).optional().describe('The target that answers.'),
  targets: z.array(z.string().min(1)).min(1).optional().describe('Several targets: every test runs on each.'),
  timeout_seconds: z.number().min(1).max(3600).optional().describe('How long one answer may take.'),
  trials: z.int().min(1).max(100).optional().describe('How often each test runs.'),
  budget_usd: z.number().gt(0).optional().describe('The most that may be spent, in US dollars.'),
}

/** How the tests of a suite run. */
export function suiteExecutionSchema(check: z.ZodType) {
  return z.strictObject({ ...fields, ...checkLists(check, 'Checks of every test.') }).describe('How the tests run.')
}

/** How one test runs. */
export function testExecutionSchema(check: z.ZodType) {
  return z
    .strictObject({
      ...fields,
      skip_defaults: z.boolean().optional().describe("Leave out the suite's checks."),
      ...checkLists(check, 'Checks of this test.'),
    })
    .describe('How this test runs, where it differs from the suite.')
}

/** The part of it that later stages see: everything but the checks. */
export type Execution = z.output<z.ZodObject<typeof fields>>
