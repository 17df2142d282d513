import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import type { Target } from '../../../src/model/target.ts'
import { MachineRequestLimits } from '../../../src/run/policies/machine-request-limits.ts'
import { examples } from '../../support/random-examples.ts'
import { virtualHost } from '../../support/virtual-host.ts'
import { memoryFiles } from './memory-files.ts'

const { signal } = new AbortController()

function targetOf(name: string, requests_per_minute?: number, file = 'targets.yaml'): Target {
  return { name, at: { file }, settings: { requests_per_minute, api_key: 'sk-secret' } } as unknown as Target
}

/** Runs on one machine: separate limits, with a shared clock and shared files. */
function machine(runs: number) {
  const clock = virtualHost()
  const files = new Map<string, string>()
  const host = { ...clock.host, ...memoryFiles(files) }
  const limits = Array.from({ length: runs }, () => new MachineRequestLimits('/requests', host))
  const sentAt: number[] = []
  const enter = async (run: number, target: Target) => {
    await limits[run]?.enter(target, signal, () => {})
    sentAt.push(clock.time)
  }
  return { clock, files, limits, sentAt, enter }
}

describe('requests of several runs at once', () => {
  it('never exceed the limit of the target together', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 40_000 })), {
          minLength: 1,
          maxLength: 15,
        }),
        async (limit, requests) => {
          const { clock, sentAt, enter } = machine(3)
          const all: Promise<void>[] = []
          for (const [run, ms] of requests) {
            await clock.pass(ms)
            all.push(enter(run, targetOf('a', limit)))
            await clock.calm()
          }
          await clock.settled(Promise.all(all))
          expect(sentAt).toHaveLength(requests.length)
          for (const from of sentAt)
            expect(sentAt.filter(at => at >= from && at < from + 60_000).length).toBeLessThanOrEqual(limit)
        },
      ),
      { numRuns: examples(100), seed: 7 },
    )
  })

  it('are sent as soon as possible', async () => {
    const { clock, sentAt, enter } = machine(2)
    await clock.settled(
      Promise.all([enter(0, targetOf('a', 2)), enter(1, targetOf('a', 2)), enter(1, targetOf('a', 2))]),
    )
    expect(sentAt).toHaveLength(3)
    expect(sentAt[1]).toBeLessThan(100)
    expect(sentAt[2]).toBeGreaterThanOrEqual(60_000)
    expect(sentAt[2]).toBeLessThan(62_000)
  })

  it('are counted per target and targets file', async () => {
    const { clock, sentAt, enter, limits } = machine(2)
    const others = [targetOf('a', 1), targetOf('b', 1), targetOf('a', 1, 'other.yaml')]
    await clock.settled(Promise.all(others.map(target => enter(0, target))))
    expect(sentAt).toEqual([0, 0, 0])
    expect(limits[0]?.concerns(targetOf('c'))).toBe(false)
  })

  it('wait at most a minute after the clock was set back', async () => {
    const { clock, files, sentAt, enter } = machine(1)
    await clock.settled(enter(0, targetOf('a', 1)))
    const [path = ''] = files.keys()
    files.set(path, JSON.stringify([Date.UTC(2026, 0) + 3_600_000]))
    await clock.settled(enter(0, targetOf('a', 1)))
    expect(sentAt[1]).toBeLessThan(62_000)
  })

  it.each(['', 'not JSON', '{}', '["a"]', '[null]'])('wait a minute if the file contains %j', async text => {
    const { clock, files, sentAt, enter } = machine(1)
    await clock.settled(enter(0, targetOf('a', 2)))
    const [path = ''] = files.keys()
    files.set(path, text)
    await clock.settled(Promise.all([enter(0, targetOf('a', 2)), enter(0, targetOf('a', 2))]))
    expect(sentAt.slice(1).every(at => at >= 60_000 && at < 62_000)).toBe(true)
  })

  it('are not waited for after an abort', async () => {
    const { clock, limits, enter } = machine(1)
    await clock.settled(enter(0, targetOf('a', 1)))
    const stop = new AbortController()
    const second = limits[0]?.enter(targetOf('a', 1), stop.signal, () => {})
    await clock.calm()
    stop.abort(new Error('enough'))
    expect(await clock.settled(Promise.resolve(second))).toMatchObject({ status: 'rejected' })
  })
})

describe('the files of requests', () => {
  it('contain times but no names, and survive a process killed while it held the lock', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'assay-test-')), 'requests')
    const limits = new MachineRequestLimits(folder, nodeHost())
    await limits.enter(targetOf('my-target', 5), signal, () => {})
    const [name = '', ...others] = readdirSync(folder)
    expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f]+\.json$/), []])
    writeFileSync(
      join(folder, `${name}.lock`),
      JSON.stringify({ pid: 2 ** 30, host: (await import('node:os')).hostname() }),
    )
    await Promise.all([1, 2].map(() => limits.enter(targetOf('my-target', 5), signal, () => {})))
    expect(JSON.parse(readFileSync(join(folder, name), 'utf8'))).toEqual([1, 2, 3].map(() => expect.any(Number)))
    expect(readdirSync(folder)).toEqual([name])
  })
})
