import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/model/answer.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import { NotRun } from '../../../src/run/ask.ts'
import { retry } from '../../../src/run/policies/retry.ts'
import { virtualHost } from '../../support/virtual-host.ts'

const PROMPT = { attempt_id: 'id', request_id: 'request', trial: 1 } as Prompt
const NEVER = new AbortController()
const ok: Answer = { text: 'ok' }
const again = (retry_after_ms?: number) => new NoAnswer('network', 'try again', { retryable: true, retry_after_ms })

describe('retry', () => {
  /** Runs a request whose every try fails with `error`: its tries, waits, final error and duration. */
  async function retried(error: unknown, retries = 3, random = () => 0.5) {
    const { host, settled } = virtualHost(random)
    const delays: [number, string][] = []
    let asks = 0
    const ask = retry(retries, host, (...words) => delays.push(words))(async () => {
      asks++
      throw error
    })
    const outcome = await settled(ask(PROMPT, NEVER))
    return {
      asks,
      delays,
      reason: outcome.status === 'rejected' ? outcome.reason : undefined,
      took: host.clock.elapsed(),
    }
  }

  it('doubles each delay and reports it', async () => {
    const { asks, delays, took } = await retried(again())
    expect(asks).toBe(4)
    expect(delays).toEqual([
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
        const { delays } = await retried(again(), 4, () => random)
        expect(delays.map(([ms]) => ms)).toEqual([0, 1, 2, 3].map(nth => Math.round(500 * 2 ** nth * (0.5 + random))))
        for (const [index, [ms]] of delays.entries()) {
          expect(ms).toBeGreaterThanOrEqual(250 * 2 ** index)
          expect(ms).toBeLessThanOrEqual(750 * 2 ** index)
        }
      }),
    )
  })

  it('waits as long as the service requests', async () => {
    const { delays, took } = await retried(again(60_000))
    expect(delays.map(([ms]) => ms)).toEqual([60_000, 60_000, 60_000])
    expect(took).toBe(180_000)
  })

  it('never waits less than the service requests', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 10_000 }), async delay => {
        for (const [ms] of (await retried(again(delay))).delays) expect(ms).toBeGreaterThanOrEqual(delay)
      }),
    )
  })

  it('keeps the error and adds the number of tries', async () => {
    const { reason } = await retried(new NoAnswer('http-status', 'busy', { retryable: true, overloaded: true }), 2)
    expect(reason).toBeInstanceOf(NoAnswer)
    expect(reason).toMatchObject({ code: 'http-status', message: 'busy (asked 3 times)', overloaded: true })
  })

  it.each([
    ['that is not retryable', new NoAnswer('bad-response', 'no'), 3],
    ['that is not a NoAnswer', new TypeError('bug'), 3],
    ['of an attempt that is not run', new NotRun('budget'), 3],
    ['if `retries` is 0', again(), 0],
  ])('does not retry after an error %s', async (_, error, retries) => {
    const { asks, delays, reason } = await retried(error, retries)
    expect({ asks, delays }).toEqual({ asks: 1, delays: [] })
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
