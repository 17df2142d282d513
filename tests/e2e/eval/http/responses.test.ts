import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evalFolder, evaluate, suiteWith } from '../../../support/evaluation.ts'
import { folderWith } from '../../../support/program.ts'
import { type Behaviour, type Server, serve } from '../../../support/servers/server.ts'

const say =
  (status: number, body = '', headers: Record<string, string> = {}): Behaviour =>
  (_, response) =>
    response.writeHead(status, headers).end(body)

const ok = say(200, 'ok')

/** A different answer to each call; the last is repeated. */
const inTurn =
  (...answers: Behaviour[]): Behaviour =>
  (call, response) =>
    answers[Math.min(call.nth, answers.length) - 1]?.(call, response)

const reset: Behaviour = (_, response) => response.socket?.resetAndDestroy()

/** The beginning of a body; then the connection ends. */
const cutOff =
  (end: Behaviour): Behaviour =>
  async (call, response) => {
    response.writeHead(200, { 'content-length': 1000 })
    await new Promise(resolve => response.write('ok', resolve))
    await pause(50)
    end(call, response)
  }

/** Server behaviour by request path. */
const BEHAVIOURS: Record<string, Behaviour> = {
  fine: ok,
  '500-twice': inTurn(say(500), say(502), ok),
  '500-always': say(500, 'out of order'),
  '408-once': inTurn(say(408), ok),
  '425-once': inTurn(say(425), ok),
  '503-once': inTurn(say(503, '', { 'retry-after': 'soon' }), ok),
  '400': say(400, '{"error": "no such field"}'),
  '401': say(401),
  '403': say(403),
  '404': say(404, 'nothing here'),
  '422': say(422),
  hang: () => {},
  'hang-in-body': (_, response) => response.writeHead(200).write('o'),
  reset,
  'reset-once': inTurn(reset, ok),
  'reset-in-body': cutOff(reset),
  truncated: cutOff((_, response) => response.socket?.end()),
  'truncated-once': inTurn(
    cutOff((_, response) => response.socket?.end()),
    ok,
  ),
  'no-http': (_, response) => response.socket?.end('What do you want?\r\n\r\n'),
  large: say(200, `ok${'x'.repeat(11_000_000)}`),
  'just-not-large': say(200, `ok${'x'.repeat(9_000_000)}`),
  moved: say(307, '', { location: '/new-place' }),
  'new-place': ok,
  'moved-as-get': say(303, '', { location: '/other-place' }),
  'other-place': ok,
  'moved-in-a-circle': say(302, '', { location: '/moved-in-a-circle' }),
  empty: say(200, ' \n'),
  '204': say(204),
}

const callCount = (server: Server, id: string) => server.to(`/${id}`).length

describe('an unreliable server', () => {
  let server: Server
  let run: Evaluated

  beforeAll(async () => {
    server = await serve((call, response) => BEHAVIOURS[call.path.slice(1)]?.(call, response))
    const tests = Object.keys(BEHAVIOURS).map(id => ({
      id,
      input: id,
      ...(id.startsWith('hang') ? { execution: { timeout_seconds: 1 } } : {}),
    }))
    run = await evaluate(
      evalFolder(tests, [{ name: 'default', provider: 'http', url: `${server.url}/{{prompt}}`, timeout_seconds: 60 }]),
    )
  })
  afterAll(() => server.close())

  it.each([
    ['fine', 1],
    ['500-twice', 3],
    ['408-once', 2],
    ['425-once', 2],
    ['503-once', 2],
    ['reset-once', 2],
    ['truncated-once', 2],
    ['just-not-large', 1],
    ['moved', 1],
    ['moved-as-get', 1],
  ])('passes after retries or redirects: %s, %i calls', (id, calls) => {
    expect(run.results.get(id)).toMatchObject({ verdict: 'pass', score: 1 })
    expect(callCount(server, id)).toBe(calls)
  })

  it.each([
    ['500-always', 4, 'http-status', /answered 500 Internal Server Error: out of order \(asked 4 times\)$/],
    ['400', 1, 'http-status', /^the server answered 400 Bad Request: \{"error": "no such field"\}$/],
    ['401', 1, 'http-status', /^the server answered 401 Unauthorized$/],
    ['403', 1, 'http-status', /403/],
    ['404', 1, 'http-status', /404 Not Found: nothing here$/],
    ['422', 1, 'http-status', /422/],
    ['hang', 1, 'timeout', /^no answer within 1 s$/],
    ['hang-in-body', 1, 'timeout', /^no answer within 1 s$/],
    ['reset', 4, 'network', /^the connection failed: .+ \(asked 4 times\)$/],
    ['reset-in-body', 4, 'network', /\(asked 4 times\)$/],
    ['truncated', 4, 'network', /\(asked 4 times\)$/],
    ['no-http', 4, 'network', /\(asked 4 times\)$/],
    ['large', 1, 'output-too-large', /larger than 10 MB/],
    ['empty', 1, 'empty-answer', /empty/],
    ['204', 1, 'empty-answer', /empty/],
  ])('is an error of the attempt: %s, %i calls', (id, calls, code, message) => {
    expect(run.results.get(id)).toMatchObject({
      verdict: 'error',
      score: null,
      answer: null,
      evaluator_results: [],
      error: { code, stage: 'answer', message: expect.stringMatching(message) },
    })
    expect(callCount(server, id)).toBe(calls)
  })

  it('gets a redirected request with the method of its status', () => {
    expect(server.to('/new-place').map(({ method }) => method)).toEqual(['POST', 'POST'])
    expect(server.to('/new-place').map(({ body }) => JSON.parse(body).test_id)).toEqual(
      expect.arrayContaining(['moved', 'new-place']),
    )
    expect(server.to('/other-place').map(({ method }) => method)).toEqual(expect.arrayContaining(['POST', 'GET']))
  })

  it('cannot cause an endless redirect', () => {
    expect(run.results.get('moved-in-a-circle')).toMatchObject({ verdict: 'error', error: { code: 'http-status' } })
    expect(callCount(server, 'moved-in-a-circle')).toBeLessThan(30)
  })

  it('causes exit code 3 and a message with location for each error', () => {
    expect(run.code).toBe(3)
    expect(run.stderr).toMatch(
      /^wait default: \d+ attempts? waits? up to [\d.]+ m?s: (the server answered|the connection failed)/m,
    )
    expect(run.stderr).toMatch(/^wait default: no longer waiting after [\d.]+ m?s, \d+ attempts? waited$/m)
    expect(run.stderr).toMatch(/^error hang on default EVAL\.yaml:1\n {2}timeout: no answer within 1 s$/m)
    expect(run.stderr).toMatch(/^28 tests: 12 passed, 16 with errors$/m)
  })
})

describe('retries', () => {
  it('are off with `retries: 0`', async () => {
    const server = await serve(say(500))
    const folder = evalFolder(
      [{ id: 'a', input: 'hi' }],
      [{ name: 'default', provider: 'http', url: server.url, retries: 0 }],
    )
    const { code, results, stderr } = await evaluate(folder)
    await server.close()
    expect(code).toBe(3)
    expect(server.calls).toHaveLength(1)
    expect(results.get('a')?.error?.message).toBe('the server answered 500 Internal Server Error')
    expect(stderr).not.toMatch(/^wait/m)
  })

  it('are made if the connection is refused', async () => {
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as { port: number }
    await new Promise(resolve => closed.close(resolve))
    const url = `http://127.0.0.1:${port}`
    const { code, results } = await evaluate(
      evalFolder([{ id: 'a', input: 'hi' }], [{ name: 'default', provider: 'http', url, retries: 1 }]),
    )
    expect(code).toBe(3)
    expect(results.get('a')?.error).toEqual({
      code: 'network',
      stage: 'answer',
      message: `the connection failed: connect ECONNREFUSED 127.0.0.1:${port} (asked 2 times)`,
      never_reached: true,
    })
  })

  it.each(['localhost:8080/chat', 'ftp://127.0.0.1/chat', 'chat'])(
    'are not made for %s, which is not an HTTP URL',
    async url => {
      const { code, results, stderr } = await evaluate(
        evalFolder([{ id: 'a', input: 'hi' }], [{ name: 'default', provider: 'http', url }]),
      )
      expect([2, 3]).toContain(code)
      expect(stderr).not.toMatch(/^wait/m)
      if (code === 3) expect(results.get('a')?.error?.message).toContain('URL')
    },
  )

  it.each([
    ['a character that is not allowed', 'schlüssel-€'],
    ['a line break', 'one-key\nanother'],
  ])('are not made for an invalid header with %s', async (_, value) => {
    const server = await serve(ok)
    const target = { name: 'default', provider: 'http', url: server.url, headers: { 'x-api-key': '${{ MY_KEY }}' } }
    const { code, stderr } = await evaluate(evalFolder([{ id: 'a', input: 'hi' }], [target]), [], { MY_KEY: value })
    await server.close()
    expect([2, 3]).toContain(code)
    expect(server.calls).toEqual([])
    expect(stderr).not.toMatch(/^wait/m)
    expect(stderr).toMatch(/header/i)
  })
})

describe('timeout_seconds', () => {
  it('of the test overrides that of the suite, which overrides that of the target', async () => {
    const server = await serve(() => {})
    const folder = folderWith({
      'a.eval.yaml': suiteWith([{ id: 'of-the-target', input: 'hi' }], { name: 'a' }),
      'b.eval.yaml': suiteWith(
        [
          { id: 'of-the-suite', input: 'hi' },
          { id: 'of-the-test', input: 'hi', execution: { timeout_seconds: 3 } },
        ],
        { name: 'b', execution: { timeout_seconds: 2 } },
      ),
      '.assay/targets.yaml': `targets: [{name: default, provider: http, url: "${server.url}", timeout_seconds: 1}]`,
    })
    const { code, results } = await evaluate(folder)
    await server.close()
    expect(code).toBe(3)
    expect([...results].map(([id, { error }]) => `${id}: ${error?.code}, ${error?.message}`)).toEqual([
      'of-the-target: timeout, no answer within 1 s',
      'of-the-suite: timeout, no answer within 2 s',
      'of-the-test: timeout, no answer within 3 s',
    ])
    expect(server.calls).toHaveLength(3)
  })
})
