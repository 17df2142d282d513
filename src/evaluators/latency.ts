import * as z from 'zod'
import { defineEvaluator } from './define-evaluator.ts'
import { gradeLimits, milliseconds } from './shared/limits.ts'
import { negateField } from './shared/sentences.ts'

export const latency = defineEvaluator({
  type: 'latency',
  summary: 'The answer came within the given time.',
  notes: [
    'The limit is inclusive. The time is the one that the target reports; where it reports none, it is measured from the question to the answer, without waiting for a turn.',
  ],
  config: z.strictObject({ threshold: z.number().min(0).describe('The longest time, in milliseconds.') }),
  examples: [{ title: 'At most five seconds', check: { type: 'latency', threshold: 5000 } }],
  sentences: {
    write: ({ config, negate }) => [`Response time ${negate ? 'over' : 'under'} ${config.threshold}ms`],
    parse: sentence => {
      const found = /^Response time (under|over) (\S+)ms$/.exec(sentence)
      return found ? { threshold: Number(found[2]), ...negateField(found[1] === 'over') } : undefined
    },
  },
  grade: ({ threshold }, { answer }) =>
    gradeLimits([{ what: 'duration', limit: threshold, figure: () => answer.duration_ms, shown: milliseconds }]),
})
