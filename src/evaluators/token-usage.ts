import { atLeastOne } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import { totalTokens } from '../model/answer.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { describeLimits, gradeLimits, limit, parseLimits } from './shared/limits.ts'
import { negateField } from './shared/sentences.ts'

const UNITS = { max_total: 'in total', max_input: 'input', max_output: 'output' }

export const tokenUsage = defineEvaluator({
  type: 'token_usage',
  summary: 'The answer used at most the given number of tokens.',
  notes: [
    'Limits are inclusive, and all of them must hold. Cached tokens are part of the input, reasoning tokens part of the output. A number that the target did not report is an error, not a miss.',
  ],
  config: () =>
    atLeastOne(
      z.strictObject({
        max_total: limit('Maximum number of tokens in total.'),
        max_input: limit('Maximum number of input tokens.'),
        max_output: limit('Maximum number of output tokens.'),
      }),
      'max_total',
      'max_input',
      'max_output',
    ),
  examples: [{ title: 'A short answer', check: { type: 'token_usage', max_total: 2000, max_output: 200 } }],
  sentences: {
    write: ({ config, negate }) => [
      `Token usage ${negate ? 'not ' : ''}within limits: ${describeLimits(config, UNITS)}`,
    ],
    parse: sentence => {
      const [, not, words = ''] = /^Token usage (not )?within limits: (at most .+)$/.exec(sentence) ?? []
      const limits = parseLimits(words, UNITS)
      return limits && { ...limits, ...negateField(not !== undefined) }
    },
  },
  grade: ({ max_total, max_input, max_output }, { answer: { token_usage } }) =>
    gradeLimits([
      { what: 'tokens in total', limit: max_total, value: () => totalTokens(token_usage) },
      { what: 'input tokens', limit: max_input, value: () => token_usage?.input },
      { what: 'output tokens', limit: max_output, value: () => token_usage?.output },
    ]),
})
