import { nodeHost } from '../../../src/host/node.ts'
import type { Answer } from '../../../src/model/answer.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import type { AskContext } from '../../../src/model/provider.ts'
import { providers } from '../../../src/providers/index.ts'
import { type ModelReply, model, type ProviderName, type RequestBody, targetOf } from './model-servers.ts'
import { serve } from './server.ts'

export interface ModelExchange {
  readonly answer: Answer
  /** The request bodies, in order. */
  readonly sent: readonly RequestBody[]
  readonly warnings: readonly string[]
}

/** Asks a model on a real server that gives these replies in order; the last is repeated. */
export async function askModel(
  provider: ProviderName,
  replies: readonly ModelReply[],
  prompt: Partial<Prompt>,
  target: object = {},
  context: Partial<AskContext> = {},
): Promise<ModelExchange> {
  const server = await serve((call, response) =>
    model(provider, replies[Math.min(call.nth, replies.length) - 1] ?? {})(call, response),
  )
  const warnings: string[] = []
  try {
    const { provider: type, ...config } = { ...targetOf(provider, server.url), ...target } as Record<string, unknown>
    const answer = await providers
      .find(({ type: name }) => name === type)
      ?.answer?.(config, { ...PROMPT, ...prompt }, askContext({ warn: message => warnings.push(message), ...context }))
    if (!answer) throw new Error(`no provider named ${provider}`)
    return { answer, warnings, sent: server.calls.map(({ body }) => JSON.parse(body)) }
  } finally {
    await server.close()
  }
}

/** The context of a provider call. */
export function askContext(more: Partial<AskContext> = {}): AskContext {
  return {
    host: nodeHost(),
    home: '/',
    signal: new AbortController().signal,
    warn: () => {},
    recordings: () => Promise.reject(new Error('no recordings in this test')),
    ...more,
  }
}

export const PROMPT: Prompt = {
  messages: [{ role: 'user', content: [{ type: 'text', value: 'Judge this.' }] }],
  system_prompt: undefined,
  test_id: 't',
  suite: 's',
  folder: '/',
  trial: 1,
  target: 'judge',
  attempt_id: 'a',
  request_id: 'r',
}
