import { nodeHost } from '../../src/host/node.ts'
import type { Answer } from '../../src/model/answer.ts'
import type { Prompt } from '../../src/model/prompt.ts'
import type { AskContext } from '../../src/model/provider.ts'
import { providers } from '../../src/providers/index.ts'
import { model, type ProviderName, type Said, type Sent, targetOf } from './model-servers.ts'
import { serve } from './server.ts'

export interface AskedModel {
  readonly answer: Answer
  /** What was sent, request by request. */
  readonly sent: readonly Sent[]
  readonly warnings: readonly string[]
}

/** Asks a model behind a real server, which says one thing after another; the last one again and again. */
export async function askModelOf(
  provider: ProviderName,
  said: readonly Said[],
  prompt: Partial<Prompt>,
  target: object = {},
  context: Partial<AskContext> = {},
): Promise<AskedModel> {
  const server = await serve((call, response) =>
    model(provider, said[Math.min(call.nth, said.length) - 1] ?? {})(call, response),
  )
  const warnings: string[] = []
  try {
    const { provider: type, ...config } = { ...targetOf(provider, server.url), ...target } as Record<string, unknown>
    const answer = await providers
      .find(({ type: name }) => name === type)
      ?.answer?.(config, { ...PROMPT, ...prompt }, askContext({ warn: message => warnings.push(message), ...context }))
    if (!answer) throw new Error(`there is no provider ${provider}`)
    return { answer, warnings, sent: server.calls.map(({ body }) => JSON.parse(body)) }
  } finally {
    await server.close()
  }
}

/** What a provider has besides the prompt, in this world. */
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
