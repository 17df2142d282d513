import { lazily } from '../lib/lazily.ts'
import { isMapping } from '../lib/objects.ts'
import { withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { agentSettingsSchema } from './agent-settings.ts'
import { commandFields } from './commands.ts'
import { markFields } from './mark-fields.ts'

/** The fields of `execution`, in a suite and in a test. */
export const executionFields = lazily(() => ({
  target: z.string().min(1).optional().describe('Target that answers the tests.'),
  targets: z.array(z.string().min(1)).min(1).optional().describe('Several targets. Every test runs on each of them.'),
  control: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Target that is the control arm: the others are compared with it, and its failures do not fail the gate.',
    ),
  timeout_seconds: z.number().min(1).max(3600).optional().describe('Time limit for one answer, in seconds.'),
  trials: withHints(z.int().min(1).max(100).optional().describe('Number of times each test runs.'), {
    value: trialsHint,
  }),
  threshold: z
    .number()
    .gt(0)
    .max(1)
    .optional()
    .describe(
      'Lowest score that passes, above 0 and at most 1; any lower score fails. Without it, a test passes from 0.8 and is borderline from 0.6.',
    ),
  budget_usd: z.number().gt(0).optional().describe('Spending limit, in US dollars.'),
  agent: agentSettingsSchema().optional(),
  ...commandFields(),
  ...markFields(),
}))

/** The hint for the mapping that other formats use for trials. */
function trialsHint(found: unknown): string | undefined {
  if (!isMapping(found)) return undefined
  const count = Number.isInteger(found['count']) && Number(found['count']) >= 1 ? found['count'] : 3
  const limit = found['cost_limit_usd']
  const budget = typeof limit === 'number' ? ` and \`budget_usd: ${limit}\`` : ''
  return `write \`trials: ${count}\`${budget}; a strategy is not needed, because reports show pass@k and pass^k for every test`
}

/** How tests run. */
export type Execution = z.output<z.ZodObject<ReturnType<typeof executionFields>>>
