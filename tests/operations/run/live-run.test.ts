import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nodeHost } from '../../../src/host/node.ts'
import { createRedactor } from '../../../src/lib/redaction/redactor.ts'
import type { Attempt, RunEvent } from '../../../src/model/attempt.ts'
import type { Host } from '../../../src/model/host.ts'
import { LiveRun } from '../../../src/operations/run/live-run.ts'
import type { OpenRecords } from '../../../src/operations/run/run-records.ts'
import { requestStop } from '../../../src/record/live-files.ts'
import { RECORD_KEYS } from '../../../src/record/record-keys.ts'
import { RunStop } from '../../../src/run/run-stop.ts'
import { folderWith } from '../../support/program.ts'
import { resultWith } from '../../support/recorded-run.ts'

const SECRET = 'sk-very-secret-value'
const attempt = (id: string): Attempt =>
  ({ id, test: { id: `test-${id}` }, target: { name: 'gpt' }, trial: 1 }) as unknown as Attempt
const waiting = (id: string, ms: number, reason: string): RunEvent => ({
  type: 'waiting',
  attempt: attempt(id),
  target: 'gpt',
  ms,
  reason,
})

/** A run in a folder of its own, whose clock only the test advances. */
async function startLive(files: Partial<Host['files']> = {}) {
  const folder = folderWith()
  const real = nodeHost(folder)
  const lock = await real.locks.take(join(folder, 'lock'))
  if (!('release' in lock)) throw new Error('the folder is locked')
  onTestFinished(lock.release)
  let time = 0
  let wake: (() => void) | undefined
  const clock = {
    ...real.clock,
    elapsed: () => time,
    setTimer: (_: number, call: () => void) => {
      wake = call
      return () => {
        wake = undefined
      }
    },
  }
  const host: Host = { ...real, clock, files: { ...real.files, ...files } }
  const stop = new RunStop({}, host)
  const messages: string[] = []
  const toJson = createRedactor(new Map([[SECRET, 'API_KEY']]), RECORD_KEYS).json
  const observer = { onMessage: (message: string) => void messages.push(message) }
  const live = new LiveRun({ path: folder }, { budget: { usd: 2, spent: 0.5 }, stop, toJson, observer }, host)
  const opened = { folder: { index: { size: 4 } }, plan: { attempts: Array(10) }, resumed: undefined }
  live.observer.onStart?.(opened as unknown as OpenRecords)
  return {
    folder,
    host,
    stop,
    live,
    messages,
    pass: (ms: number) => {
      time += ms
    },
    /** Calls the timer, and waits until it is set again. */
    look: async () => {
      const call = wake
      wake = undefined
      call?.()
      await expect.poll(() => wake, { interval: 5 }).toBeDefined()
    },
    status: () => JSON.parse(readFileSync(join(folder, 'live.json'), 'utf8')),
  }
}

describe('the status of a run', () => {
  it('has totals, what runs and waits, spend and time left, with secrets redacted and long texts cut', async () => {
    const { live, pass, look, status } = await startLive()
    for (const id of ['a', 'b', 'c']) live.observer.onEvent?.({ type: 'started', attempt: attempt(id) })
    pass(1000)
    live.observer.onEvent?.(waiting('a', 500, `no ${SECRET}`))
    live.observer.onEvent?.(waiting('b', 2000, `key ${SECRET}${'x'.repeat(1000)}`))
    live.observer.onEvent?.(waiting('c', 100, 'short'))
    live.observer.onResult?.(resultWith({ attempt_id: 'c' }), '')
    live.observer.onEvidence?.(() => [{ target: 'gpt', after: 3, of: 9, passed: 2, distance: 4, decision: undefined }])
    pass(200)
    await look()
    expect(status()).toMatchObject({
      total: 10,
      done: 5,
      elapsed_ms: 1200,
      left_ms: 6000,
      cost_usd: 0.5,
      budget_usd: 2,
      running: [
        { name: 'test-a on gpt', ms: 1200 },
        { name: 'test-b on gpt', ms: 1200 },
      ],
      waiting: [{ target: 'gpt', attempts: 2, ms: 1800, reason: expect.stringMatching(/^key \[API_KEY\]x+…$/) }],
      evidence: [expect.stringMatching(/^gpt: 3 of at most 9 tests, 2 passed/)],
    })
    expect(JSON.stringify(status())).not.toContain(SECRET)
    pass(2000)
    await look()
    expect(status().waiting).toEqual([])
  })

  it('cannot fail the run when it cannot be written, and is removed at the end', async () => {
    let isFull = true
    const { files } = nodeHost()
    const write: typeof files.write = async (path, text) => {
      if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
      await files.write(path, text)
    }
    const { folder, look, live, stop } = await startLive({ write })
    await look()
    expect(existsSync(join(folder, 'live.json'))).toBe(false)
    isFull = false
    await look()
    expect(existsSync(join(folder, 'live.json'))).toBe(true)
    await live.end()
    expect(existsSync(join(folder, 'live.json'))).toBe(false)
    expect(stop.reason).toBeUndefined()
  })
})

describe('a request to stop', () => {
  it('stops the run that has the lock, once', async () => {
    const { folder, host, look, live, stop, messages } = await startLive()
    await look()
    expect(stop.reason).toBeUndefined()
    expect(await requestStop(folder, host)).toBe(true)
    await look()
    await look()
    expect([stop.reason, live.is_stop_requested, stop.stopping.aborted]).toEqual(['signal', true, true])
    expect(messages).toEqual(['Stopping on a request of assay view: finished attempts are kept.'])
    await live.end()
    expect(existsSync(join(folder, 'stop'))).toBe(false)
  })

  it.each(['', 'stop', '{}', '{"pid":1,"host":"x","nonce":0.5}'])('is not obeyed if it is %j', async text => {
    const { folder, look, live, stop } = await startLive()
    writeFileSync(join(folder, 'stop'), text)
    await look()
    expect([stop.reason, live.is_stop_requested]).toEqual([undefined, false])
  })
})
