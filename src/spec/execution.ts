import { withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { executionFields } from '../model/execution.ts'
import { checkLists } from './check.ts'

const keys = {
  workers: 'pass `--workers` on the command line, or set `workers` in the target',
  skip_cache: 'remove it; answers are cached only with `--cache`',
  cache: 'remove it; answers are cached only with `--cache`',
  total_budget_usd: 'write it as `budget_usd`',
  max_cost_usd: 'write it as `budget_usd`',
}

/** Schema of `execution` in a suite. */
export function suiteExecutionSchema(check: z.ZodType) {
  const schema = z.strictObject({ ...executionFields(), ...checkLists(check, 'Checks for every test.') })
  return withHints(schema.describe('Settings for running the tests.'), { keys })
}

/** Schema of `execution` in a test. */
export function testExecutionSchema(check: z.ZodType) {
  const schema = z.strictObject({
    ...executionFields(),
    skip_defaults: z.boolean().optional().describe('Skip the checks of the suite.'),
    ...checkLists(check, 'Checks for this test.'),
  })
  return withHints(schema.describe('Settings for running this test, which override those of the suite.'), { keys })
}
