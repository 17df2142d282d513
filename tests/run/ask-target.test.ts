import { describe, expect, it } from 'vitest'
import { type Answer, NoAnswer, type NoAnswerCode } from '../../src/model/answer.ts'
import type { Attempt, RunEvent } from '../../src/model/attempt.ts'
import type { Prompt } from '../../src/model/prompt.ts'
import { NotRun } from '../../src/run/ask.ts'
import { createAskFactory } from '../../src/run/ask-target.ts'
import { Budget } from '../../src/run/policies/budget.ts'
import type { AnswerCache } from '../../src/run/policies/cache.ts'
import { measureUsage, type Price } from '../../src/run/policies/usage.ts'
import { virtualHost } from '../support/virtual-host.ts'

const NEVER = new AbortController()

/** A target with its policies: its prompts, stored answers and events. */
function world(provider: (prompt: Prompt, signal: AbortSignal) => Promise<Answer>, budget = new Budget(1000)) {
  const clock = virtualHost()
  const stored = new Map<string, Answer>()
  const cache = new Map<string, Parameters<AnswerCache['set']>[1]>()
  const events: RunEvent[] = []
  const prompts: Prompt[] = []
  const asks = createAskFactory({
    host: clock.host,
    answers: {
      get: id => stored.get(id),
      add: ({ attempt_id }, answer) => {
        stored.set(attempt_id, answer)
        return answer
      },
    },
    cache: { get: async key => cache.get(key), set: async (key, answer) => void cache.set(key, answer) },
    budgetsOf: () => [budget],
    recordings: () => Promise.reject(new Error('unexpected read of recordings')),
    notify: event => events.push(event),
  })
  const attempt = (id: string, parts: Partial<Attempt> = {}, target: object = {}, settings: object = {}) => {
    const type = {
      type: 'own',
      answer: async (_: unknown, prompt: Prompt, { signal }: { signal: AbortSignal }) => {
        prompts.push(prompt)
        return provider(prompt, signal)
      },
    }
    const given = {
      name: 'default',
      provider: type,
      config: {},
      settings,
      home: '/',
      at: { file: '/t.yaml' },
      ...target,
    }
    const owner = { execution: {} }
    return {
      id,
      suite: owner,
      test: { id: 'test', ...owner },
      target: given,
      trial: 1,
      request_id: 'r',
      ...parts,
    } as unknown as Attempt
  }
  const run = (planned: Attempt) => {
    const { id: attempt_id, request_id, trial, test, target } = planned
    return clock.settled(
      asks.target(planned)({ attempt_id, request_id, trial, test_id: test.id, target: target.name } as Prompt, NEVER),
    )
  }
  const judge = (planned: Attempt, prompt: Partial<Prompt>) =>
    clock.settled(asks.judge(planned, planned.target)({ messages: [], ...prompt } as unknown as Prompt, NEVER))
  return { clock, stored, cache, events, prompts, attempt, run, judge, budget }
}

const fine = async (): Promise<Answer> => ({ text: 'ok', cost_usd: 1 })

describe('an existing answer', () => {
  it('in the records of the run costs no request and is not stored twice', async () => {
    const { stored, prompts, attempt, run, cache } = world(fine, new Budget(0))
    stored.set('a', { text: 'before' })
    expect(await run(attempt('a'))).toEqual({ status: 'fulfilled', value: { text: 'before' } })
    expect({ prompts, cached: cache.size }).toEqual({ prompts: [], cached: 0 })
  })

  it('in the cache costs no request, is stored and marked as cached', async () => {
    const { stored, prompts, attempt, run, budget } = world(fine, new Budget(1))
    const first = await run(attempt('a'))
    expect(budget.isSpent).toBe(true)
    expect(first).toEqual({ status: 'fulfilled', value: { text: 'ok', cost_usd: 1, duration_ms: 0 } })
    expect(await run(attempt('b'))).toEqual({
      status: 'fulfilled',
      value: { text: 'ok', cost_usd: 1, duration_ms: 0, cached: true },
    })
    expect(prompts).toHaveLength(1)
    expect([...stored.keys()]).toEqual(['a', 'b'])
    expect(budget.spent).toBe(1)
  })

  it.each<[string, Partial<Attempt>, object, object]>([
    ['trial', { trial: 2 }, {}, {}],
    ['input', { request_id: 'other' }, {}, {}],
    ['target', {}, { name: 'other' }, {}],
    ['content of its files', { target_hash: 'other' }, {}, {}],
    ['field of the target', {}, { config: { url: 'other' } }, {}],
    ['system prompt', {}, {}, { system_prompt: 'Be kind.' }],
  ])('is not reused for a different %s', async (_, parts, target, settings) => {
    const { prompts, attempt, run } = world(fine)
    await run(attempt('a'))
    await run(attempt('b', parts, target, settings))
    expect(prompts).toHaveLength(2)
    await run(attempt('c', parts, target, settings))
    expect(prompts).toHaveLength(2)
  })

  it.each<[string, object]>([
    ['number of retries', { retries: 1 }],
    ['timeout', { timeout_seconds: 7 }],
    ['number of workers', { workers: 3 }],
  ])('is reused whatever the %s', async (_, settings) => {
    const { prompts, attempt, run } = world(fine)
    await run(attempt('a'))
    await run(attempt('b', {}, {}, settings))
    expect(prompts).toHaveLength(1)
  })

  it.each<[what: string, code: NoAnswerCode, asks: number, cached: number]>([
    ['is cached if the agent failed, so that it is not retried until it passes', 'bad-response', 1, 1],
    ['is not cached if the request never reached the agent', 'bad-prompt', 2, 0],
  ])('%s', async (_, code, asks, cached) => {
    const { stored, cache, prompts, attempt, run } = world(() => Promise.reject(new NoAnswer(code, 'no')))
    for (const id of ['a', 'a']) expect((await run(attempt(id))).status).toBe('rejected')
    expect({ asks: prompts.length, stored: stored.size, cached: cache.size }).toEqual({ asks, stored: 0, cached })
  })
})

describe('a target whose answers are immediate', () => {
  const target = (isImmediate: boolean, answer: () => Promise<Answer>) => ({
    provider: { type: 'own', answer, execution: { isImmediate: () => isImmediate } },
  })

  it('is asked without a timeout', async () => {
    const { clock, attempt, run } = world(fine)
    const timers: number[] = []
    const answer = async () => {
      timers.push(clock.sleepers)
      return { text: 'ok' }
    }
    await run(attempt('a', {}, target(true, answer)))
    await run(attempt('b', { request_id: 'other' }, target(false, answer)))
    expect(timers).toEqual([0, 1])
  })

  it('has its budget and its limit of requests', async () => {
    const { clock, attempt, run, budget } = world(fine, new Budget(2))
    const own = (id: string) => attempt(id, { request_id: id }, target(true, fine), { requests_per_minute: 1 })
    await run(own('a'))
    await run(own('b'))
    expect({ waited: clock.time > 60_000, spent: budget.spent }).toEqual({ waited: true, spent: 2 })
    expect(await run(own('c'))).toEqual({ status: 'rejected', reason: new NotRun('budget') })
  })
})

describe('the reply of a judge', () => {
  const messages: Prompt['messages'] = [{ role: 'user', content: [{ type: 'text', value: 'Judge this.' }] }]

  it('is taken from the cache for the same request', async () => {
    const { prompts, attempt, judge } = world(fine)
    for (const id of ['a', 'b']) await judge(attempt(id), { messages, temperature: 0 })
    expect(prompts).toHaveLength(1)
    await judge(attempt('c'), { messages, temperature: 1 })
    expect(prompts).toHaveLength(2)
  })

  it('is not cached if the judge inspects a folder, which may have changed', async () => {
    const { prompts, attempt, judge, cache, budget } = world(fine)
    const look = { folder: '/work', max_steps: 10 }
    for (const id of ['a', 'b']) {
      expect(await judge(attempt(id), { messages, look })).toMatchObject({ value: { text: 'ok' } })
    }
    expect({ prompts: prompts.map(prompt => prompt.look), cached: cache.size, spent: budget.spent }).toEqual({
      prompts: [look, look],
      cached: 0,
      spent: 2,
    })
  })
})

describe('policies in combination', () => {
  it('make no request after the budget is spent', async () => {
    const { attempt, run, prompts } = world(fine, new Budget(2))
    const outcomes = []
    for (const [index, id] of ['a', 'b', 'c'].entries())
      outcomes.push(await run(attempt(id, { request_id: `r${index}` })))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(outcomes[2]).toEqual({ status: 'rejected', reason: new NotRun('budget') })
    expect(prompts).toHaveLength(2)
  })

  it('give each request its own timeout and do not count waits', async () => {
    const { clock, attempt, run, prompts, events } = world(async () => {
      await clock.host.clock.sleep(4900)
      if (prompts.length < 4) throw new NoAnswer('http-status', 'busy', { retryable: true, retry_after_ms: 5000 })
      return { text: 'ok' }
    })
    expect(await run(attempt('a', {}, {}, { timeout_seconds: 5 }))).toMatchObject({ status: 'fulfilled' })
    expect(prompts).toHaveLength(4)
    expect(events.map(event => event.type === 'waiting' && [event.attempt.id, event.ms, event.reason])).toEqual([
      ['a', 5000, 'busy'],
      ['a', 5000, 'busy'],
      ['a', 5000, 'busy'],
    ])
  })

  it('do not retry after a timeout', async () => {
    const { attempt, run, prompts } = world(() => new Promise(() => {}))
    expect(await run(attempt('a', {}, {}, { timeout_seconds: 3 }))).toEqual({
      status: 'rejected',
      reason: new NoAnswer('timeout', 'no answer within 3 s'),
    })
    expect(prompts).toHaveLength(1)
  })

  it('use a default timeout of 300 seconds', async () => {
    const { attempt, run } = world(() => new Promise(() => {}))
    expect(await run(attempt('a'))).toMatchObject({ reason: { message: 'no answer within 300 s' } })
  })
})

describe('usage', () => {
  const PRICE: Price = { input: 2, output: 10, cached_input: 0.5 }
  const figured = async (answer: Partial<Answer>, price?: Price) => {
    const { host, settled } = virtualHost()
    const ask = measureUsage(
      price,
      host,
    )(async () => {
      await host.clock.sleep(1234)
      return { text: 'ok', ...answer }
    })
    const outcome = await settled(ask({} as Prompt, NEVER))
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }

  it.each<[string, Partial<Answer>, Price | undefined, number | undefined]>([
    ['input and output', { token_usage: { input: 1000, output: 200 } }, PRICE, 0.004],
    [
      'cached input, which is part of the input',
      { token_usage: { input: 1000, output: 200, cached: 400 } },
      PRICE,
      0.0034,
    ],
    [
      'cached input without its own price',
      { token_usage: { input: 1000, cached: 400 } },
      { input: 2, output: 10 },
      0.002,
    ],
    ['only cached input', { token_usage: { input: 400, cached: 400 } }, PRICE, 0.0002],
    ['reasoning, which is part of the output', { token_usage: { output: 200, reasoning: 150 } }, PRICE, 0.002],
    ['no price for output', { token_usage: { input: 1000, output: 200 } }, { input: 2 }, 0.002],
    ['nothing used', { token_usage: {} }, PRICE, 0],
    ['the target itself', { token_usage: { input: 1000 }, cost_usd: 7 }, PRICE, 7],
    ['no price', { token_usage: { input: 1000 } }, undefined, undefined],
    ['no usage', {}, PRICE, undefined],
  ])('cost from %s', async (_, answer, price, cost) => {
    const { cost_usd } = await figured(answer, price)
    if (cost === undefined) expect(cost_usd).toBeUndefined()
    else expect(cost_usd).toBeCloseTo(cost, 12)
  })

  it('has the measured duration unless the target reports one', async () => {
    expect((await figured({})).duration_ms).toBe(1234)
    expect((await figured({ duration_ms: 5 })).duration_ms).toBe(5)
    expect((await figured({ duration_ms: 0 })).duration_ms).toBe(0)
  })
})

describe('requests per minute', () => {
  it('are counted over attempts, retries and judges of a target', async () => {
    const times: number[] = []
    let isBroken = true
    const { clock, attempt, run, judge } = world(async () => {
      times.push(clock.time)
      if (!isBroken) return fine()
      isBroken = false
      throw new NoAnswer('http-status', 'broken', { retryable: true })
    })
    const settings = { requests_per_minute: 2 }
    await run(attempt('a', {}, {}, settings))
    await run(attempt('b', { trial: 2 }, {}, settings))
    await judge(attempt('c', {}, {}, settings), {})
    expect(times).toHaveLength(4)
    const [first = 0, second = 0, third = 0, fourth = 0] = times
    expect(second - first).toBeLessThan(61_000)
    expect([third - first, fourth - second]).toEqual([61_000, 61_000])
  })
})
