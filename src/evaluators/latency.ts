import * as z from '../lib/zod.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { gradeLimits, milliseconds } from './shared/limits.ts'
import { negateField } from './shared/sentences.ts'

export const latency = defineEvaluator({
  type: 'latency',
  summary: 'The answer took at most the given time.',
  notes: [
    'The limit is inclusive. The duration is reported by the target, or measured from the request to the answer, without the time in the queue of the target.',
  ],
  config: () => z.strictObject({ threshold: z.number().min(0).describe('Maximum duration in milliseconds.') }),
  examples: [{ title: 'At most five seconds', check: { type: 'latency', threshold: 5000 } }],
  sentences: {
    write: ({ config, negate }) => [`Response time ${negate ? 'over' : 'under'} ${config.threshold}ms`],
    parse: sentence => {
      const found = /^Response time (under|over) (\S+)ms$/.exec(sentence)
      return found ? { threshold: Number(found[2]), ...negateField(found[1] === 'over') } : undefined
    },
  },
  grade: ({ threshold }, { answer }) =>
    gradeLimits([{ what: 'duration', limit: threshold, value: () => answer.duration_ms, format: milliseconds }]),
})
