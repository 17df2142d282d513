import * as z from 'zod'
import { atLeastOne } from '../lib/schema-rules.ts'
import { totalTokens } from '../model/answer.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { describeLimits, gradeLimits, limit, parseLimits } from './shared/limits.ts'
import { negateField } from './shared/sentences.ts'

const UNITS = { max_total: 'in total', max_input: 'input', max_output: 'output' }

export const tokenUsage = defineEvaluator({
  type: 'token_usage',
  summary: 'The answer used at most the given numbers of tokens.',
  notes: [
    'Limits are inclusive, and every one that is given must hold. Tokens from a cache are part of the input, tokens for reasoning part of the output. A figure that the target did not report is an error, not a miss.',
  ],
  config: atLeastOne(
    z.strictObject({
      max_total: limit('The most tokens in total.'),
      max_input: limit('The most input tokens.'),
      max_output: limit('The most output tokens.'),
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
      { what: 'tokens in total', limit: max_total, figure: () => totalTokens(token_usage) },
      { what: 'input tokens', limit: max_input, figure: () => token_usage?.input },
      { what: 'output tokens', limit: max_output, figure: () => token_usage?.output },
    ]),
})
