import { parseJson } from '../lib/json/parse-json.ts'
import { parseJsonPath, valueAt } from '../lib/json/path.ts'
import { quoteCode, truncateForMessage } from '../lib/text/quote.ts'
import * as z from '../lib/zod.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import type { Message } from '../model/message.ts'
import { messagesData, renderPrompt } from '../model/messages/prompt-text.ts'
import type { Prompt } from '../model/prompt.ts'
import type { AskContext } from '../model/provider.ts'
import { defineProvider } from './define-provider.ts'
import { type AnswerParts, readAnswer } from './shared/answer-parts.ts'
import {
  envelopeFields,
  isEnvelope,
  readEnvelope,
  restoreExactIntegers,
  warnOfMisspelledKey,
} from './shared/envelope.ts'
import { fetchText, headersSchema, redactUrl } from './shared/http/http-request.ts'
import { fillTemplate, fillUrl, templateIssues, urlIssues } from './shared/http/template.ts'
import { unknownKeysText } from './shared/read-written.ts'

const path = (what: string) => z.string().min(1).optional().describe(`Path of ${what} in the response.`)

export const http = defineProvider({
  type: 'http',
  summary: 'An HTTP endpoint that speaks JSON.',
  config: () =>
    z.strictObject({
      url: z.string().min(1).describe('URL of the endpoint. Placeholders: {{prompt}}, {{test_id}}.'),
      method: z.enum(['GET', 'POST', 'PUT', 'PATCH']).default('POST').describe('HTTP method.'),
      headers: headersSchema().optional().describe('Headers of every request.'),
      body: z
        .unknown()
        .optional()
        .describe(
          'Request body, any JSON. Placeholders in its strings: {{prompt}}, {{messages}}, {{test_id}}. Default: an object with these three keys.',
        ),
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
        .describe('Dot paths of the parts of the answer in the JSON response.'),
      ...envelopeFields(),
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
  validate: {
    target: ({ url, body }) => [...urlIssues(url), ...templateIssues(url, ['url']), ...templateIssues(body, ['body'])],
  },
  execution: { isRemote: true },
  service: { endpoint: ({ url }) => (URL.canParse(url) ? new URL(url).origin : url) },
  about: ({ method, url }) => `${method} ${redactUrl(url)}`,
  answer: async (target, prompt, { host, signal, warn }) => {
    const values = {
      prompt: await renderPrompt(prompt, host, 'inlined'),
      messages: await messagesData(withSystemMessage(prompt), host),
      test_id: prompt.test_id,
    }
    const body =
      target.method === 'GET'
        ? undefined
        : JSON.stringify(fillTemplate(target.body === undefined ? DEFAULT_BODY : target.body, values))
    const request = {
      method: target.method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...target.headers },
      ...(body === undefined ? {} : { body }),
      signal,
    }
    const text = await fetchText(fillUrl(target.url, values), request, host)
    return target.response
      ? readAnswerAtPaths(text, target.response, target.unknown_keys, warn)
      : readWholeResponse(text, target.unknown_keys, warn)
  },
})

const DEFAULT_BODY = { prompt: '{{prompt}}', messages: '{{messages}}', test_id: '{{test_id}}' }

function withSystemMessage({ messages, system_prompt }: Prompt): readonly Message[] {
  if (system_prompt === undefined) return messages
  return [{ role: 'system', content: [{ type: 'text', value: system_prompt }] }, ...messages]
}

/** Reads an answer whose parts are at the paths of `response`. */
function readAnswerAtPaths(
  text: string,
  paths: Record<string, string | undefined>,
  unknown_keys: 'error' | 'warn' | undefined,
  warn: AskContext['warn'],
): Answer {
  const value = parseJson(text)
  if (value === undefined) throw new NoAnswer('bad-response', `the response is not JSON: ${truncateForMessage(text)}`)
  // Unknown keys in `token_usage` are ignored: services add their own counts.
  const onUnknown = (all: readonly PropertyKey[][]) => {
    const unknown = all.filter(([part]) => part !== 'token_usage')
    if (unknown.length === 0) return
    if (unknown_keys === 'error') throw new NoAnswer('bad-response', unknownKeysText(unknown))
    warn(`ignored the ${unknownKeysText(unknown)}`)
  }
  return readAnswer(extractParts(text, value, paths), onUnknown)
}

/** Reads a response without paths: an envelope if it has keys of an answer, otherwise text. */
function readWholeResponse(text: string, unknown_keys: 'error' | 'warn' | undefined, warn: AskContext['warn']): Answer {
  const value = parseJson(text)
  const otherwise = 'map the parts of the response with `response: {text: …}`'
  if (isEnvelope(value)) {
    return readEnvelope(restoreExactIntegers(value, text), { unknown_keys, otherwise, warn })
  }
  warnOfMisspelledKey(value, otherwise, warn)
  if (text.trim() === '') throw new NoAnswer('empty-answer', 'the response is empty')
  return { text: typeof value === 'string' ? value : text }
}

/** Parts that must exist if they have a path. */
const REQUIRED_PARTS = ['text', 'output_messages']

/** Collects the parts of an answer from a response, which is `text` parsed. */
function extractParts(
  text: string,
  response: unknown,
  paths: Readonly<Record<string, string | undefined>>,
): AnswerParts {
  const parts: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(paths)) {
    if (path === undefined) continue
    const steps = parseJsonPath(path)
    const found = steps && valueAt(response, steps)
    if (found) parts[name] = found.value
    else if (REQUIRED_PARTS.includes(name)) {
      throw new NoAnswer(
        'bad-response',
        `the response has no value at ${quoteCode(path)} (\`response.${name}\`): ${quoteCode(text.trim())}`,
      )
    }
  }
  return parts
}
