import * as z from 'zod'
import { regexProblem } from '../lib/patterns.ts'
import { exactlyOne } from '../lib/schema-rules.ts'
import { plural } from '../lib/text/format.ts'
import { quoteCode } from '../lib/text/quote.ts'
import { type Answer, NoAnswer, tokenUsageSchema, toolCallSchema } from '../model/answer.ts'
import { messageText } from '../model/message.ts'
import { defineProvider } from './define-provider.ts'

const reportedFields = {
  tool_calls: z
    .array(toolCallSchema.omit({ raw_tool: true }))
    .optional()
    .describe('Tool calls that the answer reports.'),
  token_usage: tokenUsageSchema.optional().describe('Tokens that the answer reports.'),
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
            ...reportedFields,
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
  validate: {
    target: ({ responses = [] }) =>
      responses.flatMap(({ pattern }, index) => {
        const message = regexProblem(pattern)
        return message ? [{ code: 'bad-regex' as const, path: ['responses', index, 'pattern'], message }] : []
      }),
  },
  about: ({ responses }) => (responses ? `${plural(responses.length, 'answer')} by pattern` : 'one answer'),
  answer: async ({ response, responses = [] }, { messages }, context) => {
    if (response !== undefined) return { text: response }
    const { host } = context
    const asked = messageText(messages.findLast(({ role }) => role === 'user'))
    const found = responses.find(({ pattern }) => {
      const matches = host.patterns.test(pattern, '', asked)
      if (matches === undefined)
        throw new NoAnswer('no-match', `the pattern ${quoteCode(pattern)} took more than a second`)
      return matches
    })
    if (!found) throw new NoAnswer('no-match', `no pattern of this target is found in ${quoteCode(asked)}`)
    if (found.delay_ms !== undefined) {
      await host.clock.sleep(found.delay_ms, context.signal)
      context.signal.throwIfAborted()
    }
    return toAnswer(found)
  },
})

type Response = { response: string } & z.output<z.ZodObject<typeof reportedFields>>

function toAnswer({ response, tool_calls, pattern, delay_ms, ...reported }: Response & { pattern: string }): Answer {
  const transcript = tool_calls && { output_messages: [{ role: 'assistant', content: response, tool_calls }] }
  return { text: response, ...transcript, ...reported }
}
