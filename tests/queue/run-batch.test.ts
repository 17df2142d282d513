import { describe, expect, it } from 'vitest'
import type { AttemptRef } from '../../src/queue/protocol.ts'
import { runBatch } from '../../src/queue/run-batch.ts'
import { virtualHost } from '../support/virtual-host.ts'

const refs = ['a', 'b', 'c'].map(id => ({ id }) as AttemptRef)

/** Runs three attempts that take this long each, with deliveries that take a second. */
async function runs(durationMs: number, failing: readonly string[] = []) {
  const virtual = virtualHost()
  const { host } = virtual
  const log: string[] = []
  const ran = runBatch(refs, {
    host,
    run: async ({ id }) => {
      log.push(`${virtual.time} run ${id}`)
      if (failing.includes(id)) throw new Error(`no ${id}`)
      if (durationMs > 0) await host.clock.sleep(durationMs)
      const deliver = async () => {
        await host.clock.sleep(1000)
        log.push(`${virtual.time} delivered ${id}`)
      }
      return { delivered: deliver() }
    },
    giveBack: async (rest, started) => {
      const ids = (some: readonly AttemptRef[]) => some.map(({ id }) => id).join('')
      log.push(`${virtual.time} keep ${ids(started)}, give back ${ids(rest)}`)
    },
  })
  const { status } = await virtual.settled(ran)
  return { log, status, sleepers: virtual.sleepers }
}

describe('runBatch', () => {
  it('runs fast attempts in order without waiting for deliveries, and ends after the last delivery', async () => {
    expect(await runs(10)).toEqual({
      log: ['0 run a', '10 run b', '20 run c', '1010 delivered a', '1020 delivered b', '1030 delivered c'],
      status: 'fulfilled',
      sleepers: 0,
    })
  })

  it('gives back what a slow attempt keeps waiting', async () => {
    const { log } = await runs(5000)
    expect(log).toEqual(['0 run a', '100 keep a, give back bc', '6000 delivered a'])
  })

  it('gives back only what was not started', async () => {
    const { log } = await runs(60)
    expect(log.filter(line => line.includes('give back'))).toEqual(['100 keep ab, give back c'])
    expect(log.some(line => line.endsWith('run c'))).toBe(false)
  })

  it('waits for deliveries before it reports a refused attempt', async () => {
    const { log, status, sleepers } = await runs(0, ['b'])
    expect(log).toEqual(['0 run a', '0 run b', '1000 delivered a'])
    expect([status, sleepers]).toEqual(['rejected', 0])
  })
})
