import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  type Case,
  type ModelReply,
  type ModelRun,
  model,
  PROVIDERS,
  type ProviderName,
  replyOf,
  say,
} from '../../../support/servers/model-servers.ts'

const USAGE = { input: 1000, output: 200, cached: 400, reasoning: 50 }
const PRICE = { input: 3, output: 15, cached_input: 0.3 }

/** Replies with reasoning before the text. */
const THOUGHTS: Record<ProviderName, (reply: object) => object> = {
  openai: reply => ({
    ...reply,
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'SECRET THOUGHT' }] },
      ...(reply as { output: object[] }).output,
    ],
  }),
  azure: reply => THOUGHTS.openai(reply),
  openai_compatible: reply => ({
    ...reply,
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'ok', reasoning_content: 'SECRET THOUGHT' },
      },
    ],
  }),
  anthropic: reply => ({
    ...reply,
    content: [
      { type: 'thinking', thinking: 'SECRET THOUGHT', signature: 's' },
      { type: 'text', text: 'ok' },
    ],
  }),
  google: reply => ({
    ...reply,
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'SECRET THOUGHT', thought: true }, { text: 'ok' }] },
        finishReason: 'STOP',
      },
    ],
  }),
}

/** Replies without any content. */
const NOTHING: Record<ProviderName, object> = {
  openai: { output: [] },
  azure: { output: [] },
  openai_compatible: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null } }] },
  anthropic: { content: [] },
  google: { candidates: [{ finishReason: 'STOP' }] },
}

/** Replies that only call a tool, although none was offered. */
const CALLS: Record<ProviderName, object> = {
  openai: {
    output: [{ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'find', arguments: '{}', status: 'completed' }],
  },
  azure: {
    output: [{ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'find', arguments: '{}', status: 'completed' }],
  },
  openai_compatible: {
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: { tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }] },
      },
    ],
  },
  anthropic: { content: [{ type: 'tool_use', id: 'c1', name: 'find', input: {} }], stop_reason: 'tool_use' },
  google: {
    candidates: [{ content: { parts: [{ functionCall: { name: 'find', args: {} } }] }, finishReason: 'STOP' }],
  },
}

const TEXT = 'ok ü 😀\n  "quoted" \\ \u2028'

const cases = (provider: ProviderName): Record<string, Case> => {
  const replyCase = (reply: ModelReply, target = {}): Case => ({ provider, answer: model(provider, reply), target })
  const reply = (more: object): Case => ({ provider, answer: say(200, { ...replyOf(provider), ...more }) })
  return {
    plain: { provider },
    usage: replyCase({ usage: USAGE }, { price: PRICE }),
    'no-cache-price': replyCase({ usage: USAGE }, { price: { input: 3, output: 15 } }),
    'no-price': replyCase({ usage: USAGE }),
    length: replyCase({ finish: 'length' }),
    filter: replyCase({ finish: 'content-filter' }),
    parts: replyCase({ text: ['o', 'k', '\n', 'and more'] }),
    unicode: replyCase({ text: TEXT }),
    thoughts: { provider, answer: say(200, THOUGHTS[provider](replyOf(provider))) },
    zipped: {
      provider,
      answer: (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify(replyOf(provider)))),
    },
    nonsense: replyCase({ usage: { input: -300_000, output: 1.5 } }, { price: PRICE }),
    empty: replyCase({ text: '' }),
    'cut-short': replyCase({ text: '', finish: 'length' }),
    nothing: reply(NOTHING[provider]),
    calls: reply(CALLS[provider]),
  }
}

describe.each(PROVIDERS)('the answer of %s is recorded:', provider => {
  let modelRun: ModelRun
  beforeAll(async () => {
    const temperature = { model: 'gpt-5', temperature: 1.5 }
    modelRun = await ask(
      { ...cases(provider), warned: { provider, target: provider === 'azure' ? { temperature: 1.5 } : temperature } },
      {},
      { args: ['--json'] },
    )
  })

  it('its text, as the only message, and the finish reason', () => {
    const record = modelRun.record('plain')
    expect(record).toMatchObject({
      verdict: 'pass',
      answer: 'ok',
      finish_reason: 'stop',
      output_messages: [{ role: 'assistant', content: 'ok' }],
      provider,
    })
    expect(record).not.toHaveProperty('cost_usd')
    expect(modelRun.record('unicode')?.answer).toBe(TEXT)
  })

  it('the name of the model', () => {
    expect(modelRun.record('plain')?.model).toBe('the-model-1')
  })

  it.each([
    ['length', 'length'],
    ['filter', 'content-filter'],
  ])('that it stopped early (%s)', (id, finish_reason) => {
    expect(modelRun.record(id)).toMatchObject({ verdict: 'pass', answer: 'ok', finish_reason })
  })

  it('several parts as one text', () => {
    const text = 'ok\nand more'
    expect(modelRun.record('parts')).toMatchObject({
      answer: text,
      output_messages: [{ role: 'assistant', content: text }],
    })
  })

  it('tokens, including cached and reasoning tokens', () => {
    const { reasoning, ...others } = USAGE
    // Anthropic does not count reasoning tokens separately.
    const expected = provider === 'anthropic' ? others : { ...others, reasoning }
    for (const id of ['usage', 'no-price']) expect(modelRun.record(id)?.token_usage).toEqual(expected)
  })

  it('the cost by the price, with its own price for cached tokens', () => {
    expect(modelRun.record('usage')?.cost_usd).toBeCloseTo((600 * 3 + 400 * 0.3 + 200 * 15) / 1e6, 9)
    expect(modelRun.record('no-cache-price')?.cost_usd).toBeCloseTo((1000 * 3 + 200 * 15) / 1e6, 9)
    expect(modelRun.record('no-price')).not.toHaveProperty('cost_usd')
  })

  it('without its reasoning', () => {
    expect(modelRun.record('thoughts')).toMatchObject({ verdict: 'pass', answer: 'ok' })
    expect(JSON.stringify(modelRun.record('thoughts'))).not.toContain('SECRET')
  })

  it('from a compressed response', () => {
    expect(modelRun.record('zipped')).toMatchObject({ verdict: 'pass', answer: 'ok' })
  })

  it('without negative or fractional token counts', () => {
    const { error, token_usage = {}, cost_usd } = modelRun.record('nonsense') ?? {}
    if (error) return expect(error).toMatchObject({ code: 'bad-response' })
    expect(Object.values(token_usage).filter(count => !Number.isInteger(count) || Number(count) < 0)).toEqual([])
    expect(cost_usd ?? 0).toBeGreaterThanOrEqual(0)
  })

  it.each(['empty', 'cut-short', 'nothing', 'calls'])('as an error if it has no text (%s)', id => {
    expect(modelRun.record(id)).toMatchObject({
      verdict: 'error',
      score: null,
      answer: null,
      error: { code: 'empty-answer', stage: 'answer', message: expect.stringMatching(/no text/) },
    })
    expect(modelRun.calls(id)).toHaveLength(1)
  })

  it('with the finish reason if the token limit left no text', () => {
    expect(modelRun.record('cut-short')?.error?.message).toContain('length')
  })

  it('on stdout as JSON only, without output of the SDK', () => {
    const lines = modelRun.run.stdout.trim().split('\n')
    expect(lines.map(line => JSON.parse(line).test_id).sort()).toEqual([...modelRun.run.results.keys()].sort())
    expect(modelRun.run.stderr).not.toMatch(/AI SDK/i)
    expect(modelRun.record('warned')?.verdict).toBe('pass')
  })
})
