import * as z from 'zod'
import { withHints } from '../lib/schema-rules.ts'
import { executionFields } from '../model/execution.ts'
import { checkLists } from './check.ts'

const keys = {
  workers: 'give `--workers` on the command line, or `workers` to the target',
  skip_cache: 'answers are kept only with `--cache`',
  cache: 'answers are kept only with `--cache`',
  total_budget_usd: 'write it as `budget_usd`',
  max_cost_usd: 'write it as `budget_usd`',
}

/** How the tests of a suite run. */
export function suiteExecutionSchema(check: z.ZodType) {
  const schema = z.strictObject({ ...executionFields, ...checkLists(check, 'Checks of every test.') })
  return withHints(schema.describe('How the tests run.'), { keys })
}

/** How one test runs. */
export function testExecutionSchema(check: z.ZodType) {
  const schema = z.strictObject({
    ...executionFields,
    skip_defaults: z.boolean().optional().describe("Leave out the suite's checks."),
    ...checkLists(check, 'Checks of this test.'),
  })
  return withHints(schema.describe('How this test runs, where it differs from the suite.'), { keys })
}
