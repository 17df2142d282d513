import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/model/answer.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import { NotRun } from '../../../src/run/ask.ts'
import { EndpointLimiter, limitConcurrency } from '../../../src/run/policies/endpoint-limiter.ts'
import { virtualHost } from '../../support/virtual-host.ts'

const ok: Answer = { text: 'ok' }
const busy = (retry_after_ms?: number) =>
  new NoAnswer('http-status', 'busy', { retryable: true, overloaded: true, retry_after_ms })
const broken = new NoAnswer('bad-response', 'broken')

interface PendingCall {
  answer(): Promise<void>
  fail(error: NoAnswer): Promise<void>
}

/** An endpoint whose calls are pending until the test settles them. */
function endpoint() {
  const clock = virtualHost()
  const limiter = new EndpointLimiter(clock.host)
  const delays: [number, string][] = []
  const entered: PendingCall[] = []
  const ask = limitConcurrency(limiter, (...words) => delays.push(words))(
    () =>
      new Promise<Answer>((resolve, reject) => {
        entered.push({
          answer: () => {
            resolve(ok)
            return clock.calm()
          },
          fail: error => {
            reject(error)
            return clock.calm()
          },
        })
      }),
  )
  const outcomes: Promise<PromiseSettledResult<Answer>>[] = []
  const call = async (stop = new AbortController()) => {
    outcomes.push(Promise.allSettled([ask({} as Prompt, stop)]).then(([only]) => only))
    await clock.calm()
  }
  const calls = async (count: number) => {
    for (let index = 0; index < count; index++) await call()
  }
  return { clock, delays, entered, outcomes, call, calls }
}

describe('the limiter of an endpoint', () => {
  it('has no limit at first', async () => {
    const { entered, calls, delays } = endpoint()
    await calls(1000)
    expect(entered).toHaveLength(1000)
    expect(delays).toEqual([])
  })

  it('halves the running calls when the endpoint is overloaded', async () => {
    const { entered, calls } = endpoint()
    await calls(8)
    await entered[0]?.fail(busy())
    await calls(3)
    expect(entered).toHaveLength(8)
    for (const index of [1, 2, 3]) await entered[index]?.fail(broken)
    expect(entered).toHaveLength(8)
    await entered[4]?.fail(broken)
    expect(entered).toHaveLength(9)
    await entered[5]?.fail(broken)
    await entered[6]?.fail(broken)
    expect(entered).toHaveLength(11)
  })

  it('never goes below one call', async () => {
    const { entered, calls } = endpoint()
    for (let index = 0; index < 5; index++) {
      await calls(1)
      await entered[index]?.fail(busy())
    }
    await calls(2)
    expect(entered).toHaveLength(6)
    await entered[5]?.fail(broken)
    expect(entered).toHaveLength(7)
  })

  it('raises the limit slowly with successes', async () => {
    const { entered, calls } = endpoint()
    await calls(1)
    await entered[0]?.fail(busy())
    await calls(200)
    const under = [1]
    let left = 1
    for (let done = 1; done <= 100; done++) {
      await entered[left++]?.answer()
      under.push(entered.length - left)
    }
    expect(under[0]).toBe(1)
    expect(under[1]).toBe(2)
    expect(under.every((count, index) => index === 0 || count - (under[index - 1] ?? 0) <= 1)).toBe(true)
    expect(under.every((count, index) => index === 0 || count >= (under[index - 1] ?? 0))).toBe(true)
    expect(under.at(-1)).toBeGreaterThanOrEqual(8)
    expect(under.at(-1)).toBeLessThanOrEqual(20)
  })

  it('does not raise the limit with other errors', async () => {
    const { entered, calls } = endpoint()
    await calls(1)
    await entered[0]?.fail(busy())
    await calls(20)
    for (let index = 1; index < 15; index++) {
      expect(entered).toHaveLength(index + 1)
      await entered[index]?.fail(broken)
    }
  })

  it('pauses as long as the endpoint requests and reports it for each call', async () => {
    const { clock, entered, calls, delays } = endpoint()
    await calls(4)
    await entered[0]?.fail(busy(3000))
    await calls(2)
    await clock.pass(1000)
    await calls(1)
    expect(entered).toHaveLength(4)
    expect(delays).toEqual([
      [3000, expect.stringContaining('pause')],
      [3000, expect.stringContaining('pause')],
      [2000, expect.stringContaining('pause')],
    ])
    for (const index of [1, 2, 3]) await entered[index]?.answer()
    await clock.pass(1999)
    expect(entered).toHaveLength(4)
    await clock.pass(1)
    expect(entered.length).toBeGreaterThan(4)
  })

  it('does not shorten a pause', async () => {
    const { clock, entered, calls } = endpoint()
    await calls(2)
    await entered[0]?.fail(busy(5000))
    await entered[1]?.fail(busy(10))
    await calls(1)
    await clock.pass(4999)
    expect(entered).toHaveLength(2)
    await clock.pass(1)
    expect(entered).toHaveLength(3)
  })

  it.each(['a free slot', 'the end of a pause'])('releases a call that waits for %s after an abort', async what => {
    const { clock, entered, calls, call, outcomes } = endpoint()
    const controller = new AbortController()
    await calls(2)
    await entered[0]?.fail(busy(what === 'a free slot' ? 0 : 60_000))
    await call(controller)
    controller.abort(new NotRun('stopped'))
    await clock.calm()
    expect(await outcomes[2]).toEqual({ status: 'rejected', reason: new NotRun('stopped') })
    expect(entered).toHaveLength(2)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('admits the next call when one before it is aborted', async () => {
    const { clock, entered, calls, call } = endpoint()
    const controller = new AbortController()
    await calls(2)
    await entered[0]?.fail(busy())
    await call(controller)
    await call()
    expect(entered).toHaveLength(2)
    controller.abort(new NotRun('stopped'))
    await clock.calm()
    await entered[1]?.fail(broken)
    expect(entered).toHaveLength(3)
  })

  it('admits no call that was aborted before', async () => {
    const { entered, call, outcomes } = endpoint()
    const controller = new AbortController()
    controller.abort(new NotRun('stopped'))
    await call(controller)
    expect(entered).toEqual([])
    expect(await outcomes[0]).toEqual({ status: 'rejected', reason: new NotRun('stopped') })
  })

  it.each([
    ['for any outcomes', fc.constant(undefined)],
    ['even if some are aborted', fc.option(fc.nat(1000), { nil: undefined })],
  ])('never blocks a call forever, %s', async (_, stops) => {
    const outcome = fc.constantFrom('ok', 'broken', 'busy', 'busy for long')
    const call = fc.record({
      begins: fc.nat(500),
      takes: fc.nat(200),
      outcome,
      stops,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 30 }), async calls => {
        const clock = virtualHost()
        const { host } = clock
        const limiter = new EndpointLimiter(host)
        let active = 0
        const all = calls.map(async ({ begins, takes, outcome, stops }) => {
          const controller = new AbortController()
          await host.clock.sleep(begins)
          if (stops !== undefined) host.clock.sleep(stops).then(() => controller.abort(new NotRun('stopped')))
          const ask = limitConcurrency(limiter, () => {})(async () => {
            active++
            await host.clock.sleep(takes)
            active--
            if (outcome === 'broken') throw broken
            if (outcome !== 'ok') throw busy(outcome === 'busy' ? undefined : 300)
            return ok
          })
          return ask({} as Prompt, controller)
        })
        await clock.settled(Promise.allSettled(all))
        expect(active).toBe(0)
      }),
    )
  })
})
