import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/model/answer.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import type { Target } from '../../../src/model/target.ts'
import { limitRequests, ProcessRequestLimits } from '../../../src/run/policies/request-limits.ts'
import { examples } from '../../support/random-examples.ts'
import { virtualHost } from '../../support/virtual-host.ts'

const ok: Answer = { text: 'ok' }

function targetOf(name: string, requests_per_minute?: number): Target {
  return { name, at: { file: 'targets.yaml' }, settings: { requests_per_minute } } as unknown as Target
}

/** A rate-limited target, with the times of its requests. */
function limitedTo(limit: number) {
  const clock = virtualHost()
  const limits = new ProcessRequestLimits(clock.host)
  const sentAt: number[] = []
  const delays: [number, string][] = []
  const policy = limitRequests(targetOf('a', limit), limits, (...words) => delays.push(words))
  const ask = policy(async () => {
    sentAt.push(clock.time)
    return ok
  })
  return { clock, sentAt, delays, limits, ask: (stop = new AbortController()) => ask({} as Prompt, stop) }
}

describe('requests per minute', () => {
  it('never exceed the limit of a target', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 20 }),
        async (limit, waits) => {
          const { clock, sentAt, ask } = limitedTo(limit)
          const all: Promise<Answer>[] = []
          for (const ms of waits) {
            await clock.pass(ms)
            all.push(ask())
            await clock.calm()
          }
          await clock.settled(Promise.all(all))
          expect(sentAt).toHaveLength(waits.length)
          for (const from of sentAt) {
            expect(sentAt.filter(at => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(limit)
          }
        },
      ),
      { numRuns: examples(200), seed: 5 },
    )
  })

  it('are sent immediately below the limit, else as soon as possible', async () => {
    const { clock, sentAt, delays, ask } = limitedTo(2)
    const all = Promise.all([ask(), ask(), ask(), ask()])
    await clock.calm()
    expect(sentAt).toEqual([0, 0])
    await clock.settled(all)
    expect(sentAt).toEqual([0, 0, 61_000, 61_000])
    expect(delays[0]).toEqual([61_000, 'requests_per_minute reached'])
  })

  it('stop waiting after an abort', async () => {
    const { clock, sentAt, ask } = limitedTo(1)
    await ask()
    const stop = new AbortController()
    const second = ask(stop)
    await clock.calm()
    stop.abort(new Error('enough'))
    expect(await clock.settled(second)).toMatchObject({ status: 'rejected', reason: { message: 'enough' } })
    expect(sentAt).toEqual([0])
  })

  it('are counted per target, and only if it has a limit', async () => {
    const { limits, clock } = limitedTo(1)
    expect([targetOf('a', 1), targetOf('b')].map(target => limits.concerns(target))).toEqual([true, false])
    const { signal } = new AbortController()
    await limits.enter(targetOf('a', 1), signal, () => {})
    await limits.enter(targetOf('b', 1), signal, () => {})
    expect(clock.time).toBe(0)
  })
})
