import { z } from 'zod'
import { defineProvider } from './provider.ts'
import { headers } from './shared/headers.ts'

const path = (what: string) => z.string().min(1).optional().describe(`Path to ${what} in the response.`)

export const http = defineProvider({
  type: 'http',
  summary: 'An agent behind a URL that speaks JSON.',
  config: z.strictObject({
    url: z.string().min(1).describe('Where requests go.'),
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST').describe('The method.'),
    headers: headers.optional().describe('Headers of each request.'),
    body: z
      .unknown()
      .optional()
      .describe('What is sent: any JSON, with {{prompt}}, {{messages}} and {{test_id}} in its strings.'),
    response: z
      .strictObject({
        text: path('the text'),
        output_messages: path('the messages'),
        tool_calls: path('the tool calls'),
        token_usage: path('the token usage'),
        cost_usd: path('the cost'),
        model: path('the name of the model'),
      })
      .optional()
      .describe('Where the parts of the answer stand in the response, as dot paths.'),
  }),
  examples: [
    {
      title: 'A chat endpoint',
      target: {
        name: 'default',
        provider: 'http',
        url: 'http://127.0.0.1:8080/chat',
        body: { message: '{{prompt}}' },
        response: { text: 'reply.text' },
      },
    },
  ],
})
