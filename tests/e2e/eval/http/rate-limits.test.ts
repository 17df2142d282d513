import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { evalFolder, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { type Behaviour, type Server, serve } from '../../../support/servers/server.ts'
import { resultsIn } from '../../../support/suite-run.ts'

let server: Server
afterEach(() => server.close())

const tests = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `t${index}`, input: `n${index}` }))

const target = (more: object = {}) => ({ name: 'default', provider: 'http', url: `${server.url}/{{prompt}}`, ...more })

/** Answers after a delay, so that requests overlap. */
const slowly: Behaviour = async (_, response) => {
  await pause(40)
  response.end('ok')
}

describe('status 429', () => {
  const busyOnce =
    (retryAfter: () => string): Behaviour =>
    ({ nth }, response) =>
      nth === 1 ? response.writeHead(429, { 'retry-after': retryAfter() }).end('slow down') : response.end('ok')

  it('is retried after the seconds of Retry-After, with a notice', async () => {
    server = await serve(busyOnce(() => '1'))
    const { code, results, stderr } = await evaluate(evalFolder([{ id: 'busy', input: 'hi' }], [target()]))
    expect(code).toBe(0)
    expect(results.get('busy')?.verdict).toBe('pass')
    expect(stderr).toMatch(
      /^wait default: 1 attempt waits up to 1\.0 s: the server answered 429 Too Many Requests: slow down$/m,
    )
    const [first, second, ...others] = server.calls
    expect(others).toEqual([])
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(990)
  })

  it('is retried at the date of Retry-After', async () => {
    server = await serve(busyOnce(() => new Date(Date.now() + 3000).toUTCString()))
    const { code, stderr } = await evaluate(evalFolder([{ id: 'busy', input: 'hi' }], [target()]))
    expect(code).toBe(0)
    expect(stderr).toMatch(/^wait default: 1 attempt waits up to [23]\.\d s: /m)
    const [first, second, ...others] = server.calls
    expect(others).toEqual([])
    // Dates have no milliseconds; without the header the retry would follow within 750 ms.
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(1900)
  })

  it('is an error after all retries', async () => {
    server = await serve((_, response) => response.writeHead(429).end())
    const { code, results } = await evaluate(evalFolder([{ id: 'busy', input: 'hi' }], [target()]))
    expect(code).toBe(3)
    expect(results.get('busy')?.error).toEqual({
      code: 'http-status',
      stage: 'answer',
      message: 'the server answered 429 Too Many Requests (asked 4 times)',
      never_reached: true,
    })
    expect(server.calls).toHaveLength(4)
  })

  it('pauses all attempts of the endpoint, and counts them', async () => {
    server = await serve(async ({ path, nth }, response) => {
      if (path === '/n0' && nth === 1) return response.writeHead(429, { 'retry-after': '3' }).end()
      await pause(200)
      return response.end('ok')
    })
    const { code, stderr } = await evaluate(evalFolder(tests(3), [target()]), ['--workers', '2'])
    expect(code).toBe(0)
    const [begin, end, ...others] = stderr.match(/^wait .*$/gm) ?? []
    expect(begin).toMatch(
      /^wait default: [12] attempts? waits? up to 3\.0 s: the server answered 429 Too Many Requests/,
    )
    expect(end).toMatch(/^wait default: no longer waiting after [34]\.\d s, 2 attempts waited$/)
    expect(others).toEqual([])
    const [first] = server.to('/n0')
    const [kept] = server.to('/n2')
    expect((kept?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThan(2990)
    expect(server.calls).toHaveLength(4)
  })

  it('reduces concurrency, then raises it slowly, and each test is answered once', async () => {
    const WAVE = 8
    server = await serve(async (call, response) => {
      const isFirstWave = server.calls.indexOf(call) < WAVE
      await pause(60)
      while (server.calls.length < WAVE) await pause(5)
      if (isFirstWave) response.writeHead(429).end()
      else response.end('ok')
    })
    const { code, all } = await evaluate(evalFolder(tests(40), [target()]), ['--workers', String(WAVE)])
    expect(code).toBe(0)
    expect(all).toHaveLength(40)
    expect(server.calls).toHaveLength(40 + WAVE)
    const active = server.calls.map(call => call.active)
    expect(Math.max(...active.slice(0, WAVE))).toBe(WAVE)
    expect(Math.max(...active.slice(WAVE, WAVE + 4))).toBeLessThanOrEqual(WAVE / 2)
    expect(Math.max(...active.slice(WAVE + 10))).toBeGreaterThan(Math.max(...active.slice(WAVE, WAVE + 2)))
  })

  it.each<[what: string, headers: Record<string, string>]>([
    ['seconds', { 'retry-after': '99999999' }],
    ['more digits than a number can hold', { 'retry-after': '9'.repeat(400) }],
    ['a date', { 'retry-after': 'Fri, 31 Dec 2100 23:59:59 GMT' }],
    ['milliseconds', { 'retry-after-ms': '99999999999' }],
    ['the reset of a limit', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '999h' }],
  ])('is an error at once if the requested wait exceeds the timeout: %s', async (_, headers) => {
    server = await serve((_, response) => response.writeHead(429, headers).end())
    const cwd = evalFolder(tests(3), [target({ timeout_seconds: 5 })])
    const { code } = await assay(['eval'], { cwd })
    expect(code).toBe(3)
    const message =
      /^the server answered 429 Too Many Requests; the service requests a wait of \S+ s, longer than the timeout of 5 s$/
    for (const { error } of resultsIn(cwd)) expect(error?.message).toMatch(message)
    expect(resultsIn(cwd)).toHaveLength(3)
    expect(server.calls).toHaveLength(3)
  })
})

describe('the number of concurrent calls', () => {
  const most = () => Math.max(...server.calls.map(({ active }) => active))

  it.each([
    ['--workers 8', ['--workers', '8'], {}, 8],
    ['`workers` of the target', ['--workers', '8'], { workers: 2 }, 2],
    ['--workers if `workers` of the target is higher', ['--workers', '3'], { workers: 6 }, 3],
    ['the default', [], {}, 16],
  ])('is limited by %s', async (_, args, more, limit) => {
    server = await serve(slowly)
    const { code, all } = await evaluate(evalFolder(tests(64), [target(more)]), args)
    expect(code).toBe(0)
    expect(all.map(({ test_id }) => test_id)).toEqual(tests(64).map(({ id }) => id))
    expect(server.calls.map(({ path }) => path).sort()).toEqual(
      tests(64)
        .map(({ input }) => `/${input}`)
        .sort(),
    )
    expect(most()).toBeLessThanOrEqual(limit)
    expect(most()).toBeGreaterThan(1)
  })

  it('is limited by `workers` of the target across suites', async () => {
    server = await serve(slowly)
    const folder = evalFolder(tests(16), [target({ workers: 2 })])
    copyFileSync(join(folder, 'EVAL.yaml'), join(folder, 'again.eval.yaml'))
    const { code } = await evaluate(folder, ['--workers', '8'])
    expect(code).toBe(0)
    expect(server.calls).toHaveLength(32)
    expect(most()).toBe(2)
  })

  it('is limited per target and in total', async () => {
    const under: Record<string, number> = { small: 0, large: 0 }
    const mostOf = { ...under }
    server = await serve(async (call, response) => {
      const name = String(call.headers['x-target'])
      under[name] = (under[name] ?? 0) + 1
      mostOf[name] = Math.max(mostOf[name] ?? 0, under[name])
      response.on('close', () => {
        under[name] = (under[name] ?? 0) - 1
      })
      await slowly(call, response)
    })
    const targets = [
      { ...target({ workers: 2 }), name: 'small', headers: { 'x-target': 'small' } },
      { ...target({ workers: 5 }), name: 'large', headers: { 'x-target': 'large' } },
    ]
    const args = ['--target', 'small', '--target', 'large', '--workers', '6']
    const { code } = await evaluate(evalFolder(tests(32), targets), args)
    expect(code).toBe(0)
    expect(server.calls).toHaveLength(64)
    expect(most()).toBeLessThanOrEqual(6)
    expect(mostOf['small']).toBeLessThanOrEqual(2)
    expect(mostOf['large']).toBeLessThanOrEqual(5)
    expect(most()).toBeGreaterThan(2)
  })
})
