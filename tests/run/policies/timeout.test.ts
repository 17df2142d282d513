import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type Answer, NoAnswer } from '../../../src/model/answer.ts'
import type { Host } from '../../../src/model/host.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import { type Ask, NotRun } from '../../../src/run/ask.ts'
import { timeout } from '../../../src/run/policies/timeout.ts'
import { virtualHost } from '../../support/virtual-host.ts'

const PROMPT = { attempt_id: 'id', request_id: 'request', trial: 1 } as Prompt
const NEVER = new AbortController()
const ok: Answer = { text: 'ok' }
const again = (retry_after_ms?: number) => new NoAnswer('network', 'try again', { retryable: true, retry_after_ms })

describe('timeout', () => {
  const timed = (provider: (host: Host) => Ask, stop = NEVER) => {
    const clock = virtualHost()
    const request = timeout(2, clock.host)(provider(clock.host))(PROMPT, stop)
    return { clock, outcome: clock.settled(request) }
  }
  const late = { status: 'rejected', reason: new NoAnswer('timeout', 'no answer within 2 s') }
  /** Answers after `ms`, and ignores the signal. */
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
    const retryAfter = (ms: number) => timed(() => () => Promise.reject(again(ms))).outcome
    expect(await retryAfter(2000)).toMatchObject({
      reason: { retryable: true, retry_after_ms: 2000, message: 'try again' },
    })
    const message = 'try again; the service requests a wait of 3 s, longer than the timeout of 2 s'
    expect(await retryAfter(2001)).toMatchObject({ reason: { retryable: false, retry_after_ms: undefined, message } })
  })

  it('aborts the provider after the timeout and waits for its end', async () => {
    let received: AbortSignal | undefined
    const { clock, outcome } = timed(() => (_, { signal }) => {
      received = signal
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))))
    })
    expect(await outcome).toEqual(late)
    expect(received?.reason).toEqual(late.reason)
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
