import * as z from 'zod'
import { isMapping } from '../lib/is-mapping.ts'
import { withHints } from '../model/shape-hints.ts'
import { checkLists } from './check.ts'

const fields = {
  target: z.string().min(1).optional().describe('The target that answers.'),
  targets: z.array(z.string().min(1)).min(1).optional().describe('Several targets: every test runs on each.'),
  timeout_seconds: z.number().min(1).max(3600).optional().describe('How long one answer may take.'),
  trials: withHints(z.int().min(1).max(100).optional().describe('How often each test runs.'), { value: trialsHint }),
  budget_usd: z.number().gt(0).optional().describe('The most that may be spent, in US dollars.'),
}

const keys = {
  workers: 'give `--workers` on the command line, or `workers` to the target',
  skip_cache: 'answers are kept only with `--cache`',
  cache: 'answers are kept only with `--cache`',
  total_budget_usd: 'write it as `budget_usd`',
  max_cost_usd: 'write it as `budget_usd`',
}

/** How the tests of a suite run. */
export function suiteExecutionSchema(check: z.ZodType) {
  const schema = z.strictObject({ ...fields, ...checkLists(check, 'Checks of every test.') })
  return withHints(schema.describe('How the tests run.'), { keys })
}

/** How one test runs. */
export function testExecutionSchema(check: z.ZodType) {
  const schema = z.strictObject({
    ...fields,
    skip_defaults: z.boolean().optional().describe("Leave out the suite's checks."),
    ...checkLists(check, 'Checks of this test.'),
  })
  return withHints(schema.describe('How this test runs, where it differs from the suite.'), { keys })
}

/** For the mapping in which other formats say how often a test runs, and how its attempts are taken together. */
function trialsHint(found: unknown): string | undefined {
  if (!isMapping(found)) return undefined
  const count = Number.isInteger(found['count']) && Number(found['count']) >= 1 ? found['count'] : 3
  const limit = found['cost_limit_usd']
  const budget = typeof limit === 'number' ? ` and \`budget_usd: ${limit}\`` : ''
  return `write \`trials: ${count}\`${budget}; no strategy is needed, since reports show pass@k and pass^k of every test`
}

/** The part of it that later stages see: everything but the checks. */
export type Execution = z.output<z.ZodObject<typeof fields>>
