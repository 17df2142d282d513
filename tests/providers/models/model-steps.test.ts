import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Content } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { type ModelTools, takeSteps } from '../../../src/providers/shared/models/model-steps.ts'

const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }

/** A model that gives these replies in order, and the requests to it. */
function scripted(replies: readonly { content: LanguageModelV3Content[]; finish?: string }[]) {
  const requests: LanguageModelV3CallOptions[] = []
  const doGenerate = async (request: LanguageModelV3CallOptions) => {
    const { content, finish = 'stop' } = replies[requests.length] ?? { content: [] }
    requests.push(request)
    return { content, finishReason: { unified: finish }, usage: USAGE, warnings: [] }
  }
  return { model: { doGenerate } as unknown as LanguageModelV3, requests }
}

const call = (toolCallId: string, input: string): LanguageModelV3Content => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'read',
  input,
  providerMetadata: { service: { item: toolCallId } },
})

const tools: ModelTools = {
  maxReplies: 3,
  begin: request => ({ ...request, temperature: 0 }),
  call: async ({ toolName, input }, how) => {
    if (input === 'broken') return { tool: toolName, input, error: 'not JSON' }
    return { tool: toolName, input: JSON.parse(input), ...(how === 'execute' && { output: 'text' }) }
  },
}

const REQUEST = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Judge this.' }] }] }
const DONE = { content: [{ type: 'text' as const, text: 'Done.' }] }

describe('the request after tool calls', () => {
  it('has what the model said, with the data of the service, and the results', async () => {
    const signature = { service: { signature: 'abc' } }
    const { model, requests } = scripted([
      {
        content: [
          { type: 'reasoning', text: 'I think.', providerMetadata: signature },
          { type: 'text', text: '' },
          { type: 'text', text: 'I read.' },
          call('c1', '{"path":"a"}'),
          call('c2', 'broken'),
        ],
        finish: 'tool-calls',
      },
      DONE,
    ])
    const steps = await takeSteps(model, REQUEST, tools)
    expect(requests[1]).toEqual({
      temperature: 0,
      prompt: [
        ...REQUEST.prompt,
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'I think.', providerOptions: signature },
            { type: 'text', text: 'I read.' },
            {
              type: 'tool-call',
              toolCallId: 'c1',
              toolName: 'read',
              input: { path: 'a' },
              providerOptions: { service: { item: 'c1' } },
            },
            {
              type: 'tool-call',
              toolCallId: 'c2',
              toolName: 'read',
              input: {},
              providerOptions: { service: { item: 'c2' } },
            },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'read',
              output: { type: 'text', value: 'text' },
              providerOptions: { service: { item: 'c1' } },
            },
            {
              type: 'tool-result',
              toolCallId: 'c2',
              toolName: 'read',
              output: { type: 'error-text', value: 'not JSON' },
              providerOptions: { service: { item: 'c2' } },
            },
          ],
        },
      ],
    })
    expect(steps.map(({ text, tool_calls }) => [text, tool_calls.length])).toEqual([
      ['I read.', 2],
      ['Done.', 0],
    ])
    expect(REQUEST.prompt).toHaveLength(1)
  })

  it('has all earlier steps, and is the last when no replies are left', async () => {
    const step = { content: [call('c1', '{}')], finish: 'tool-calls' }
    const { model, requests } = scripted([step, step, step, DONE])
    expect(await takeSteps(model, REQUEST, tools)).toHaveLength(3)
    expect(requests.map(({ prompt }) => prompt.length)).toEqual([1, 3, 5])
  })

  it('is not sent when the reply was cut off', async () => {
    const { model, requests } = scripted([{ content: [call('c1', '{}')], finish: 'length' }, DONE])
    const [{ tool_calls }] = await takeSteps(model, REQUEST, tools)
    expect(requests).toHaveLength(1)
    expect(tool_calls).toEqual([{ tool: 'read', input: {} }])
  })

  it('is not sent to a model without tools', async () => {
    const { model, requests } = scripted([{ content: [call('c1', '{}')], finish: 'tool-calls' }, DONE])
    expect(await takeSteps(model, REQUEST, undefined)).toMatchObject([{ text: '', tool_calls: [] }])
    expect(requests).toHaveLength(1)
  })

  it('is not sent after an abort', async () => {
    const stop = new AbortController()
    const { model, requests } = scripted([{ content: [call('c1', '{}')], finish: 'tool-calls' }, DONE])
    const late: ModelTools = {
      ...tools,
      call: async () => {
        stop.abort('late')
        return { tool: 'read', output: 'text' }
      },
    }
    await expect(takeSteps(model, { ...REQUEST, abortSignal: stop.signal }, late)).rejects.toBe('late')
    expect(requests).toHaveLength(1)
  })
})
