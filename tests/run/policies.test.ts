import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, NoAnswer } from '../../src/model/answer.ts'
import type { Attempt } from '../../src/model/attempt.ts'
import type { Host } from '../../src/model/host.ts'
import type { Prompt } from '../../src/model/prompt.ts'
import { type Ask, NotRun } from '../../src/run/ask.ts'
import { Budget, Budgets, enforceBudgets } from '../../src/run/policies/budget.ts'
import { retry } from '../../src/run/policies/retry.ts'
import { timeout } from '../../src/run/policies/timeout.ts'
import { virtualHost } from '../support/virtual-host.ts'

const PROMPT = { attempt_id: 'id', request_id: 'request', trial: 1 } as Prompt
const NEVER = new AbortController()
const ok: Answer = { text: 'ok' }
const again = (retry_after_ms?: number) => new NoAnswer('network', 'try again', { retryable: true, retry_after_ms })
const failure = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    error => error,
  )

describe('retry', () => {
  /** How long each wait is, and how it ends, where every ask fails like this. */
  async function waits(error: unknown, retries = 3, random = () => 0.5) {
    const { host, settled } = virtualHost(random)
    const said: [number, string][] = []
    let asks = 0
    const ask = retry(retries, host, (...words) => said.push(words))(async () => {
      asks++
      throw error
    })
    const outcome = await settled(ask(PROMPT, NEVER))
    return {
      asks,
      said,
      reason: outcome.status === 'rejected' ? outcome.reason : undefined,
      took: host.clock.elapsed(),
    }
  }

  it('doubles each delay and reports it', async () => {
    const { asks, said, took } = await waits(again())
    expect(asks).toBe(4)
    expect(said).toEqual([
      [500, 'try again'],
      [1000, 'try again'],
      [2000, 'try again'],
    ])
    expect(took).toBe(3500)
  })

  it('varies delays randomly by half', async () => {
    const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    await fc.assert(
      fc.asyncProperty(share, async random => {
        const { said } = await waits(again(), 4, () => random)
        expect(said.map(([ms]) => ms)).toEqual([0, 1, 2, 3].map(nth => Math.round(500 * 2 ** nth * (0.5 + random))))
        for (const [index, [ms]] of said.entries()) {
          expect(ms).toBeGreaterThanOrEqual(250 * 2 ** index)
          expect(ms).toBeLessThanOrEqual(750 * 2 ** index)
        }
      }),
    )
  })

  it('waits as long as the service requests', async () => {
    const { said, took } = await waits(again(60_000))
    expect(said.map(([ms]) => ms)).toEqual([60_000, 60_000, 60_000])
    expect(took).toBe(180_000)
  })

  it('never waits less than the service requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 10_000 }), async delay => {
        for (const [ms] of (await waits(again(delay))).said) expect(ms).toBeGreaterThanOrEqual(delay)
      }),
    )
  })

  it('keeps the error and adds the number of tries', async () => {
    const { reason } = await waits(new NoAnswer('http-status', 'busy', { retryable: true, overloaded: true }), 2)
    expect(reason).toBeInstanceOf(NoAnswer)
    expect(reason).toMatchObject({ code: 'http-status', message: 'busy (asked 3 times)', overloaded: true })
  })

  it.each([
    ['that says that it does not help', new NoAnswer('bad-response', 'no'), 3],
    ['that is no NoAnswer', new TypeError('bug'), 3],
    ['that is not run', new NotRun('budget'), 3],
    ['where there are no retries', again(), 0],
  ])('does not ask again after an error %s', async (_, error, retries) => {
    const { asks, said, reason } = await waits(error, retries)
    expect({ asks, said }).toEqual({ asks: 1, said: [] })
    expect(reason).toBe(error)
  })

  it('returns the first answer', async () => {
    const { host, settled } = virtualHost()
    let asks = 0
    const ask = retry(3, host, () => {})(async () => {
      if (++asks < 3) throw again()
      return ok
    })
    expect(await settled(ask(PROMPT, NEVER))).toEqual({ status: 'fulfilled', value: ok })
    expect(asks).toBe(3)
  })

  it('ends its wait and does not retry after an abort', async () => {
    const { host, calm, settled } = virtualHost()
    const controller = new AbortController()
    let asks = 0
    const request = retry(3, host, () => {})(async () => {
      asks++
      throw again(60_000)
    })(PROMPT, controller)
    const outcome = settled(request)
    await Promise.resolve()
    controller.abort(new NotRun('stopped'))
    await calm()
    expect(await outcome).toEqual({ status: 'rejected', reason: new NotRun('stopped') })
    expect({ asks, time: host.clock.elapsed() }).toEqual({ asks: 1, time: 0 })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})

describe('timeout', () => {
  const timed = (provider: (host: Host) => Ask, stop = NEVER) => {
    const clock = virtualHost()
    const request = timeout(2, clock.host)(provider(clock.host))(PROMPT, stop)
    return { clock, outcome: clock.settled(request) }
  }
  const late = { status: 'rejected', reason: new NoAnswer('timeout', 'no answer within 2 s') }
  /** An answer after a while, whatever the signal says. */
  const answersAfter = (ms: number) => (host: Host) => async () => {
    await host.clock.sleep(ms)
    return ok
  }
  const answersNever = () => () => new Promise<Answer>(() => {})

  it('passes on an answer in time and clears its timer', async () => {
    const controller = new AbortController()
    const { clock, outcome } = timed(answersAfter(1999), controller)
    expect(await outcome).toEqual({ status: 'fulfilled', value: ok })
    expect({ time: clock.time, sleepers: clock.sleepers }).toEqual({ time: 1999, sleepers: 0 })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('passes on an error in time', async () => {
    const error = new NoAnswer('network', 'gone')
    const { clock, outcome } = timed(() => () => Promise.reject(error))
    expect(await outcome).toEqual({ status: 'rejected', reason: error })
    expect(clock.sleepers).toBe(0)
  })

  it('allows a retry delay up to the timeout and makes a longer one final', async () => {
    const waits = (ms: number) => timed(() => () => Promise.reject(again(ms))).outcome
    expect(await waits(2000)).toMatchObject({ reason: { retryable: true, retry_after_ms: 2000, message: 'try again' } })
    const message = 'try again; the service requests a wait of 3 s, longer than the timeout of 2 s'
    expect(await waits(2001)).toMatchObject({ reason: { retryable: false, retry_after_ms: undefined, message } })
  })

  it('aborts the provider after the timeout and waits for its end', async () => {
    let told: AbortSignal | undefined
    const { clock, outcome } = timed(() => (_, { signal }) => {
      told = signal
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))))
    })
    expect(await outcome).toEqual(late)
    expect(told?.reason).toEqual(late.reason)
    expect({ time: clock.time, sleepers: clock.sleepers }).toEqual({ time: 2000, sleepers: 0 })
  })

  it('does not wait for a provider that ignores the abort', async () => {
    const { clock, outcome } = timed(answersNever)
    expect(await outcome).toEqual(late)
    expect(clock.time).toBeLessThanOrEqual(60_000)
    expect(clock.sleepers).toBe(0)
  })

  it('rejects an answer after the timeout', async () => {
    const { outcome } = timed(answersAfter(3000))
    expect(await outcome).toEqual(late)
  })

  it('forwards an abort with its reason', async () => {
    const controller = new AbortController()
    const { clock, outcome } = timed(
      () =>
        (_, { signal }) =>
          new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      controller,
    )
    controller.abort(new NotRun('stopped'))
    expect(await outcome).toEqual({ status: 'rejected', reason: new NotRun('stopped') })
    expect({ time: clock.time, sleepers: clock.sleepers }).toEqual({ time: 0, sleepers: 0 })
  })

  it.each(['before', 'after'])('does not wait for a provider that ignores an abort %s its start', async when => {
    const controller = new AbortController()
    if (when === 'before') controller.abort(new NotRun('stopped'))
    const { clock, outcome } = timed(answersNever, controller)
    controller.abort(new NotRun('stopped'))
    expect(await outcome).toEqual({ status: 'rejected', reason: new NotRun('stopped') })
    expect(clock.time).toBeLessThanOrEqual(60_000)
  })
})

describe('budget', () => {
  const costing = (...usd: (number | undefined)[]): Ask => {
    const left = [...usd]
    return async () => ({ text: 'ok', cost_usd: left.length > 1 ? left.shift() : left[0] })
  }
  /** How often one can ask before the money is spent. */
  async function asks(budgets: readonly Budget[], ask: Ask, most = 1000): Promise<number> {
    for (let count = 0; count < most; count++) {
      const error = await failure(enforceBudgets(budgets)(ask)(PROMPT, NEVER))
      if (error === 'no failure') continue
      expect(error).toEqual(new NotRun('budget'))
      return count
    }
    return most
  }

  it('is spent when the limit is reached exactly', async () => {
    expect(await asks([new Budget(3)], costing(1))).toBe(3)
    expect(await asks([new Budget(3)], costing(2))).toBe(2)
    expect(await asks([new Budget(3)], costing(5))).toBe(1)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 50 }), async (cents, times) => {
        expect(await asks([new Budget((cents * times) / 100)], costing(cents / 100))).toBe(times)
      }),
    )
  })

  it('counts answers with unknown cost without charging them', async () => {
    const budget = new Budget(1)
    expect(await asks([budget], costing(undefined), 5)).toBe(5)
    expect({ spent: budget.spent, unknown: budget.unknown }).toEqual({ spent: 0, unknown: 5 })
  })

  it('charges all budgets and stops at the first that is spent', async () => {
    const [large, small] = [new Budget(10), new Budget(2)]
    expect(await asks([large, small], costing(1))).toBe(2)
    expect([large.spent, small.spent]).toEqual([2, 2])
  })

  it('does not charge requests without an answer and passes on their errors', async () => {
    const budget = new Budget(1)
    const error = new NoAnswer('network', 'gone')
    expect(await failure(enforceBudgets([budget])(() => Promise.reject(error))(PROMPT, NEVER))).toBe(error)
    expect(budget.spent).toBe(0)
  })

  it('belongs to the run, the suite and the test', () => {
    const suite = { execution: { budget_usd: 2 } }
    const test = { execution: { budget_usd: 1 } }
    const attempt = (parts: object) => ({ suite, test: { execution: {} }, ...parts }) as unknown as Attempt
    const budgets = new Budgets(5)
    expect(budgets.of(attempt({})).map(({ usd }) => usd)).toEqual([5, 2])
    expect(budgets.of(attempt({ test })).map(({ usd }) => usd)).toEqual([5, 2, 1])
    expect(budgets.of(attempt({}))[1]).toBe(budgets.of(attempt({ test }))[1])
    expect(new Budgets(undefined).of(attempt({ suite: { execution: {} } }))).toEqual([])
    budgets.of(attempt({ test }))[2]?.add({ text: 'ok' })
    expect(budgets.unknown).toBe(1)
  })

  it('counts unknown costs of 200,000 tests', () => {
    const budgets = new Budgets(undefined)
    for (let index = 0; index < 200_000; index++) {
      const attempt = { suite: { execution: {} }, test: { execution: { budget_usd: 1 } } } as unknown as Attempt
      budgets.of(attempt)[0]?.add({ text: 'ok' })
    }
    expect(budgets.unknown).toBe(1)
  })
})
