import { beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  type Case,
  inTurn,
  type ModelRun,
  model,
  PROVIDERS,
  type ProviderName,
  replyOf,
  say,
} from '../../../support/servers/model-servers.ts'
import { type Behaviour, type Server, serve } from '../../../support/servers/server.ts'

/** An error as each service words it. */
const errorBody = (provider: ProviderName, message: string): object =>
  ({
    openai: { error: { message, type: 'invalid_request_error', param: null, code: 'some_code' } },
    azure: { error: { message, type: 'invalid_request_error', param: null, code: 'some_code' } },
    openai_compatible: { error: { message, type: 'invalid_request_error', param: null, code: 400 } },
    anthropic: { type: 'error', error: { type: 'invalid_request_error', message } },
    google: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
  })[provider]

const reset: Behaviour = (_, response) => response.socket?.resetAndDestroy()

/** A body that is shorter than its length says. */
const cutOff: Behaviour = async (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
  await new Promise(resolve => response.write('{"id": "', resolve))
  response.socket?.end()
}

/** How servers fail, the number of requests, and the recorded error. */
const FAILURES: Record<string, [answer: (provider: ProviderName) => Behaviour, calls: number, code: string, RegExp]> = {
  '400': [p => say(400, errorBody(p, 'no such field')), 1, 'http-status', /answered 400 .*no such field/],
  '400-html': [() => say(400, '<html><h1>Bad</h1></html>'), 1, 'http-status', /400 Bad Request: <html>/],
  '400-empty': [() => say(400), 1, 'http-status', /answered 400 Bad Request$/],
  '401': [p => say(401, errorBody(p, 'who are you')), 1, 'http-status', /answered 401 .*who are you/],
  '404': [p => say(404, errorBody(p, 'no such model')), 1, 'http-status', /answered 404 .*no such model/],
  '304': [() => say(304), 1, '(http-status|bad-response)', /./],
  'no-json': [() => say(200, 'Hello!'), 1, 'bad-response', /./],
  'cut-json': [p => say(200, JSON.stringify(replyOf(p)).slice(0, -20)), 1, 'bad-response', /./],
  empty: [() => say(200), 1, 'bad-response', /./],
  null: [() => say(200, 'null'), 1, 'bad-response', /./],
  'a-list': [() => say(200, []), 1, 'bad-response', /./],
  'other-shape': [
    () => say(200, { answer: 'ok', output: 5, choices: {}, content: 'x', candidates: 1 }),
    1,
    'bad-response',
    /./,
  ],
  large: [p => model(p, { text: 'ok'.repeat(5_500_000) }), 1, 'output-too-large', /larger than 10 MB/],
  hang: [() => () => {}, 1, 'timeout', /^no answer within 20 s$/],
  'hang-in-body': [() => (_, response) => response.writeHead(200).write('{'), 1, 'timeout', /^no answer within 20 s$/],
  reset: [() => reset, 2, 'network', /^the connection failed: .+ \(asked 2 times\)$/],
  'cut-off': [() => cutOff, 2, 'network', /^the connection failed: .+ \(asked 2 times\)$/],
  '500': [p => say(500, errorBody(p, 'broken')), 2, 'http-status', /answered 500 .*broken.*\(asked 2 times\)$/],
  '529': [p => say(529, errorBody(p, 'Overloaded')), 2, 'http-status', /answered 529 .*Overloaded.*\(asked 2 times\)$/],
  '429': [p => say(429, errorBody(p, 'slow down')), 2, 'http-status', /answered 429 .*slow down.*\(asked 2 times\)$/],
}

describe('a server that fails', () => {
  let modelRun: ModelRun
  beforeAll(async () => {
    const cases = PROVIDERS.flatMap(provider =>
      Object.entries(FAILURES).map(([id, [answer]]): [string, Case] => {
        // Long enough for all requests to arrive on a busy machine: the server is in this process.
        const target = { retries: 1, timeout_seconds: id.startsWith('hang') ? 20 : 60 }
        return [`${id}-of-${provider}`, { provider, answer: answer(provider), target }]
      }),
    )
    modelRun = await ask(Object.fromEntries(cases), {}, { args: ['--workers', '64'] })
  })

  describe.each(PROVIDERS)('of %s', provider => {
    it.each(Object.entries(FAILURES).map(([id, [, ...facts]]) => [id, ...facts] as const))(
      '(%s) gets %i requests, and %s is recorded',
      (name, calls, code, message) => {
        const id = `${name}-of-${provider}`
        expect(modelRun.record(id)).toMatchObject({ verdict: 'error', score: null, answer: null })
        expect(modelRun.record(id)?.error?.code).toMatch(new RegExp(`^${code}$`))
        expect(modelRun.record(id)?.error?.message).toMatch(message)
        expect(modelRun.calls(id)).toHaveLength(calls)
      },
    )

    it('prints the waiting time before a retry', () => {
      const { stderr } = modelRun.run
      for (const id of ['reset', '500', '529', '429'])
        expect(stderr).toMatch(new RegExp(`^wait ${id}-of-${provider}: 1 attempt waits`, 'm'))
    })
  })

  it('is not retried if that does not help, and the run exits with 3', () => {
    expect(modelRun.run.stderr).not.toMatch(/^wait (400|401|404|304|no-json|cut-json|empty|null|hang|large)-/m)
    expect(modelRun.run.code).toBe(3)
  })
})

describe('an unusual reply', () => {
  let modelRun: ModelRun
  beforeAll(async () => {
    const failed = {
      ...replyOf('openai'),
      status: 'failed',
      output: [],
      error: { code: 'server_error', message: 'out of order' },
    }
    const cases = PROVIDERS.flatMap((provider): [string, Case][] => [
      [`${provider}-long`, { provider, answer: say(400, errorBody(provider, `no ${'x'.repeat(50_000)}`)) }],
      [`${provider}-999`, { provider, answer: say(999, 'go away'), target: { retries: 0 } }],
      [`${provider}-no-json`, { provider, answer: say(200, 'Hello!') }],
      [`${provider}-other`, { provider, answer: say(200, { answer: 'Hello!', output: 5 }) }],
      [`${provider}-error`, { provider, answer: say(200, errorBody(provider, 'out of order')) }],
    ])
    modelRun = await ask({ ...Object.fromEntries(cases), failed: { provider: 'openai', answer: say(200, failed) } })
  })
  const errors = (id: string) =>
    Object.fromEntries(PROVIDERS.map(provider => [provider, modelRun.record(`${provider}-${id}`)?.error]))
  const each = (error: object) =>
    Object.fromEntries(PROVIDERS.map(provider => [provider, { stage: 'answer', code: 'bad-response', ...error }]))

  it('with a very long message is cut', () => {
    const lengths = Object.values(errors('long')).map(error => error?.message.length)
    expect(Math.max(...lengths.map(length => length ?? Number.NaN))).toBeLessThan(1000)
  })

  it('with an unknown status is an error of the server', () => {
    const message = 'the server answered 999 unknown: go away'
    expect(errors('999')).toEqual(each({ code: 'http-status', message, never_reached: true }))
  })

  it.each(['no-json', 'other'])('that is not of the protocol (%s) is quoted', id => {
    expect(errors(id)).toEqual(each({ message: expect.stringContaining('Hello!') }))
  })

  it('with status 200 and an error is reported with its message', () => {
    expect(errors('error')).toEqual(
      each({
        code: expect.stringMatching(/^(bad-response|http-status)$/),
        message: expect.stringContaining('out of order'),
      }),
    )
  })

  it('of a failed OpenAI response is reported with its reason', () => {
    expect(modelRun.record('failed')?.error?.message).toContain('out of order')
  })
})

describe('a server that recovers', () => {
  const soon = (seconds: number) => new Date(Date.now() + seconds * 1000)
  const twice =
    (headers: (provider: ProviderName) => Record<string, string>): ((provider: ProviderName) => Behaviour) =>
    provider =>
      inTurn(
        (call, response) => say(429, errorBody(provider, 'slow'), headers(provider))(call, response),
        model(provider),
      )

  /** The headers, and the minimal wait in milliseconds. Without headers it is 250 to 750. */
  const PAUSES: Record<string, [provider: ProviderName, headers: () => Record<string, string>, from: number]> = {
    seconds: ['openai', () => ({ 'retry-after': '1' }), 990],
    date: ['google', () => ({ 'retry-after': soon(3).toUTCString() }), 1900],
    ms: ['azure', () => ({ 'retry-after-ms': '1200' }), 1190],
    'ms-before-seconds': ['azure', () => ({ 'retry-after-ms': '1200', 'retry-after': '30' }), 1190],
    'limit-of-requests': [
      'openai',
      () => ({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '1.2s' }),
      1190,
    ],
    'limit-in-small-units': [
      'openai_compatible',
      () => ({ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1s300ms' }),
      1290,
    ],
    'limit-that-has-some-left': [
      'openai',
      () => ({ 'x-ratelimit-remaining-requests': '3', 'x-ratelimit-reset-requests': '6m0s' }),
      240,
    ],
    'the-longest-of-two': [
      'openai',
      () => ({
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20ms',
        'x-ratelimit-remaining-tokens': '0',
        'x-ratelimit-reset-tokens': '1.5s',
      }),
      1490,
    ],
    anthropic: [
      'anthropic',
      () => ({
        'anthropic-ratelimit-input-tokens-remaining': '0',
        'anthropic-ratelimit-input-tokens-reset': soon(2).toISOString(),
        'anthropic-ratelimit-requests-remaining': '12',
        'anthropic-ratelimit-requests-reset': soon(600).toISOString(),
      }),
      1900,
    ],
    nonsense: ['openai', () => ({ 'retry-after': 'later', 'retry-after-ms': '-5' }), 240],
    'in-the-past': ['openai', () => ({ 'retry-after': new Date(0).toUTCString() }), 240],
  }
  let modelRun: ModelRun
  let stranger: Server
  beforeAll(async () => {
    stranger = await serve(say(200, replyOf('openai')))
    const pauses = Object.entries(PAUSES).map(([id, [provider, headers]]): [string, Case] => [
      id,
      { provider, answer: twice(headers)(provider) },
    ])
    const others = PROVIDERS.flatMap((provider): [string, Case][] => [
      [`${provider}-500-twice`, { provider, answer: inTurn(say(500), say(503, 'x'), model(provider)) }],
      [`${provider}-529-once`, { provider, answer: inTurn(say(529), model(provider)) }],
      [`${provider}-reset-once`, { provider, answer: inTurn(reset, model(provider)) }],
      [
        `${provider}-moved`,
        {
          provider,
          answer: (call, response) =>
            call.path.includes('moved-to')
              ? model(provider)(call, response)
              : response.writeHead(307, { location: `${call.path.split('/').slice(0, 2).join('/')}/moved-to` }).end(),
        },
      ],
      [`${provider}-away`, { provider, answer: say(307, '', { location: `${stranger.url}/away` }) }],
    ])
    modelRun = await ask(Object.fromEntries([...pauses, ...others]))
    await stranger.close()
  })

  it.each(Object.entries(PAUSES).map(([id, [, , from]]) => [id, from] as const))(
    'gets a retry as its headers request (%s): after %i ms, and not much later',
    (id, from) => {
      const [first, second, ...more] = modelRun.calls(id).map(({ at }) => at)
      expect(more).toEqual([])
      expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(from)
      expect((second ?? 0) - (first ?? 0)).toBeLessThan(15_000)
      expect(modelRun.record(id)?.verdict).toBe('pass')
      expect(modelRun.run.stderr).toMatch(
        new RegExp(`^wait ${id}: 1 attempt waits up to [\\d.]+ m?s: the server answered 429`, 'm'),
      )
    },
  )

  it.each(PROVIDERS)('gets the same request again from %s', provider => {
    for (const [id, calls] of [
      ['500-twice', 3],
      ['529-once', 2],
      ['reset-once', 2],
      ['moved', 2],
    ] as const) {
      expect(modelRun.record(`${provider}-${id}`)?.verdict).toBe('pass')
      const bodies = modelRun.calls(`${provider}-${id}`).map(({ method, body }) => `${method} ${body}`)
      expect(bodies).toEqual(Array(calls).fill(bodies[0]))
    }
  })

  it.each(PROVIDERS)('is not followed by %s to another server, which would receive the key', provider => {
    expect(stranger.calls).toEqual([])
    expect(modelRun.record(`${provider}-away`)?.error).toMatchObject({
      code: 'http-status',
      message: expect.stringContaining(stranger.url),
    })
    expect(modelRun.calls(`${provider}-away`)).toHaveLength(1)
  })

  it.each([
    ['openai', 'base_url'],
    ['azure', '(endpoint|base_url)'],
  ])('and sends %s elsewhere: the message names the field %s', (provider, field) => {
    expect(modelRun.record(`${provider}-away`)?.error?.message).toMatch(new RegExp(`\`${field}\``))
  })
})
