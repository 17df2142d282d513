import { lazily } from '../lib/lazily.ts'
import { regexProblem } from '../lib/patterns.ts'
import { exactlyOne } from '../lib/schema-rules.ts'
import { plural } from '../lib/text/format.ts'
import { quoteCode } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import { type Answer, NoAnswer, tokenUsageSchema, toolCallSchema } from '../model/answer.ts'
import { messageText } from '../model/message.ts'
import { defineProvider } from './define-provider.ts'

const reportedFields = lazily(() => ({
  tool_calls: z
    .array(toolCallSchema().omit({ raw_tool: true }))
    .optional()
    .describe('Tool calls reported with the answer.'),
  token_usage: tokenUsageSchema().optional().describe('Token usage reported with the answer.'),
  cost_usd: z.number().min(0).optional().describe('Cost reported with the answer, in US dollars.'),
  duration_ms: z.number().min(0).optional().describe('Duration reported with the answer, in milliseconds.'),
  delay_ms: z.number().min(0).optional().describe('Delay before the answer, in milliseconds.'),
}))

export const mock = defineProvider({
  type: 'mock',
  summary: 'Fixed answers, to try out a suite without a model.',
  config: () =>
    exactlyOne(
      z.strictObject({
        response: z.string().optional().describe('The answer to every prompt.'),
        responses: z
          .array(
            z.strictObject({
              pattern: z.string().describe('Regular expression to find in the last user message.'),
              response: z.string().describe('The answer.'),
              ...reportedFields(),
            }),
          )
          .min(1)
          .optional()
          .describe('Answers by pattern. The first match answers.'),
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
  execution: { isImmediate: ({ responses = [] }) => responses.every(({ delay_ms }) => delay_ms === undefined) },
  about: ({ responses }) => (responses ? `${plural(responses.length, 'answer')} by pattern` : 'one answer'),
  answer: async ({ response, responses = [] }, { messages }, context) => {
    if (response !== undefined) return { text: response }
    const { host } = context
    const userText = messageText(messages.findLast(({ role }) => role === 'user'))
    const found = responses.find(({ pattern }) => {
      const matches = host.patterns.test(pattern, '', userText)
      if (matches === undefined)
        throw new NoAnswer('no-match', `matching ${quoteCode(pattern)} took more than 1 s: simplify the pattern`)
      return matches
    })
    if (!found)
      throw new NoAnswer('no-match', `no pattern of the target matches the last user message ${quoteCode(userText)}`)
    if (found.delay_ms !== undefined) {
      await host.clock.sleep(found.delay_ms, context.signal)
      context.signal.throwIfAborted()
    }
    return toAnswer(found)
  },
})

type Response = { response: string } & z.output<z.ZodObject<ReturnType<typeof reportedFields>>>

function toAnswer({ response, tool_calls, token_usage, cost_usd, duration_ms }: Response): Answer {
  const answer: Answer = { text: response }
  if (tool_calls) answer.output_messages = [{ role: 'assistant', content: response, tool_calls }]
  if (token_usage) answer.token_usage = token_usage
  if (cost_usd !== undefined) answer.cost_usd = cost_usd
  if (duration_ms !== undefined) answer.duration_ms = duration_ms
  return answer
}
