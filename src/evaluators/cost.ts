import * as z from '../lib/zod.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { dollars, gradeLimits, NO_COST } from './shared/limits.ts'
import { negateField } from './shared/sentences.ts'

export const cost = defineEvaluator({
  type: 'cost',
  summary: 'The answer cost at most the given amount.',
  notes: [
    'The limit is inclusive. The cost is reported by the target, or computed from its tokens and its `price`. If neither is known, the check is an error.',
  ],
  config: () => z.strictObject({ budget: z.number().min(0).describe('Maximum cost in US dollars.') }),
  examples: [{ title: 'At most ten cents', check: { type: 'cost', budget: 0.1 } }],
  sentences: {
    write: ({ config, negate }) => [`Cost ${negate ? 'over' : 'under'} $${config.budget}`],
    parse: sentence => {
      const found = /^Cost (under|over) \$(\S+)$/.exec(sentence)
      return found ? { budget: Number(found[2]), ...negateField(found[1] === 'over') } : undefined
    },
  },
  grade: ({ budget }, { answer }) =>
    gradeLimits([{ what: 'cost', limit: budget, value: () => answer.cost_usd, unknown: NO_COST, format: dollars }]),
})
