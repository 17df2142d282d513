import { z } from 'zod'
import { regexProblem } from '../lib/regex-problem.ts'
import { exactlyOne } from '../model/key-rules.ts'
import { defineProvider } from './provider.ts'

const figures = {
  tool_calls: z
    .array(
      z.strictObject({
        tool: z.string().min(1).describe('Name of the tool.'),
        input: z.record(z.string(), z.unknown()).optional().describe('Its arguments.'),
        output: z.unknown().optional().describe('Its result.'),
        duration_ms: z.number().min(0).optional().describe('How long it took.'),
      }),
    )
    .optional()
    .describe('Tool calls that the answer reports.'),
  token_usage: z
    .strictObject({
      input: z.int().min(0).optional().describe('Input tokens.'),
      output: z.int().min(0).optional().describe('Output tokens.'),
      cached: z.int().min(0).optional().describe('Input tokens that came from a cache.'),
      reasoning: z.int().min(0).optional().describe('Output tokens spent on reasoning.'),
    })
    .optional()
    .describe('Tokens that the answer reports.'),
  cost_usd: z.number().min(0).optional().describe('Cost that the answer reports.'),
  duration_ms: z.number().min(0).optional().describe('Time that the answer reports.'),
  delay_ms: z.number().min(0).optional().describe('How long the answer is held back.'),
}

export const mock = defineProvider({
  type: 'mock',
  summary: 'Answers from a table: for trying out suites without a model.',
  config: exactlyOne(
    z.strictObject({
      response: z.string().optional().describe('The answer to everything.'),
      responses: z
        .array(
          z.strictObject({
            pattern: z.string().describe('A regular expression, looked for in the last user text.'),
            response: z.string().describe('The answer.'),
            ...figures,
          }),
        )
        .min(1)
        .optional()
        .describe('The first whose pattern is found answers.'),
    }),
    'response',
    'responses',
  ),
  examples: [
    { title: 'One answer', target: { name: 'default', provider: 'mock', response: 'Hello!' } },
    {
      title: 'By pattern',
      target: { name: 'default', provider: 'mock', responses: [{ pattern: 'weather', response: 'Sunny.' }] },
    },
  ],
  issues: ({ responses = [] }) =>
    responses.flatMap(({ pattern }, index) => {
      const message = regexProblem(pattern)
      return message ? [{ code: 'bad-regex' as const, path: ['responses', index, 'pattern'], message }] : []
    }),
})
