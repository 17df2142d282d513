import { beforeAll, describe, expect, it } from 'vitest'
import { ask, type Case, type ModelRun, PROVIDERS, type ProviderName } from '../../../support/servers/model-servers.ts'

/** The variables that hold the keys, and the headers that carry them. */
const KEYS: Record<
  Exclude<ProviderName, 'openai_compatible'>,
  { variables: string[]; header: string; value: string }
> = {
  openai: { variables: ['OPENAI_API_KEY'], header: 'authorization', value: 'Bearer ' },
  azure: { variables: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'], header: 'api-key', value: '' },
  anthropic: { variables: ['ANTHROPIC_API_KEY'], header: 'x-api-key', value: '' },
  google: { variables: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY'], header: 'x-goog-api-key', value: '' },
}
const KEYED = Object.entries(KEYS) as [keyof typeof KEYS, (typeof KEYS)['openai']][]
const ALL = KEYED.flatMap(([, { variables }]) => variables)
const FIRST = KEYED.flatMap(([, { variables }]) => variables.slice(0, 1))
const SECOND = KEYED.flatMap(([, { variables }]) => variables.slice(1))

const NO_KEYS = Object.fromEntries(ALL.map(name => [name, undefined]))
const each = (names: readonly string[], where: string) =>
  Object.fromEntries(names.map(name => [name, `${where}-${name}`]))
const dotEnv = (names: readonly string[]) =>
  Object.entries(each(names, 'dotenv'))
    .map(pair => `${pair.join('=')}\n`)
    .join('')

const plain = Object.fromEntries(
  KEYED.map(([provider]): [string, Case] => [provider, { provider, target: { api_key: undefined } }]),
)

/** The keys that arrived, by provider. */
const arrived = (modelRun: ModelRun) =>
  Object.fromEntries(
    KEYED.map(([provider, { header, value }]) => [
      provider,
      String(modelRun.sent(provider).headers[header]).slice(value.length),
    ]),
  )
const expected = (where: string, index: (variables: string[]) => number) =>
  Object.fromEntries(KEYED.map(([provider, { variables }]) => [provider, `${where}-${variables[index(variables)]}`]))

describe('the key comes from', () => {
  it('the default variable, the first if there are two', async () => {
    const modelRun = await ask(plain, { '.env': dotEnv(ALL) }, { env: each(ALL, 'environment') })
    expect(arrived(modelRun)).toEqual(expected('environment', () => 0))
    expect(modelRun.run.code).toBe(0)
  })

  it('an .env file if no variable is set', async () => {
    const modelRun = await ask(plain, { '.env': dotEnv(FIRST) }, { env: NO_KEYS })
    expect(arrived(modelRun)).toEqual(expected('dotenv', () => 0))
  })

  it('the second variable if the first is unset or empty', async () => {
    const empty = Object.fromEntries(FIRST.map(name => [name, '']))
    const both = Object.fromEntries(['azure', 'google'].map(name => [name, plain[name] as Case]))
    const { run, sent } = await ask(both, {}, { env: { ...NO_KEYS, ...empty, ...each(SECOND, 'environment') } })
    expect(run.code).toBe(0)
    expect(sent('azure').headers['api-key']).toBe('environment-AZURE_API_KEY')
    expect(sent('google').headers['x-goog-api-key']).toBe('environment-GEMINI_API_KEY')
  })

  it('api_key of the target, regardless of variables', async () => {
    const own = Object.fromEntries(
      KEYED.map(([provider]): [string, Case] => [provider, { provider, target: { api_key: '${{ MY_OWN }}' } }]),
    )
    const modelRun = await ask(own, {}, { env: { ...each(ALL, 'environment'), MY_OWN: 'own-key-1' } })
    expect(arrived(modelRun)).toEqual(Object.fromEntries(KEYED.map(([provider]) => [provider, 'own-key-1'])))
  })

  it('nowhere for openai_compatible, which sends no key, not even that of OpenAI', async () => {
    const { run, sent } = await ask(
      { local: { provider: 'openai_compatible', target: { api_key: undefined } } },
      {},
      { env: each(ALL, 'environment') },
    )
    expect(run.code).toBe(0)
    expect(sent('local').headers).not.toHaveProperty('authorization')
    expect(JSON.stringify(sent('local'))).not.toContain('environment-')
  })
})

describe('a key or header that is invalid in HTTP', () => {
  const BAD = 'key-ü-€-1234'
  const BROKEN = 'one-key-1234\nanother-5678'
  let modelRun: ModelRun
  beforeAll(async () => {
    const cases = PROVIDERS.flatMap((provider): [string, Case][] => [
      [`${provider}-key`, { provider, target: { api_key: '${{ BAD }}' } }],
      [`${provider}-header`, { provider, target: { headers: { 'x-own': '${{ BAD }}' } } }],
      [`${provider}-break`, { provider, target: { api_key: '${{ BROKEN }}' } }],
      [`${provider}-end`, { provider, target: { api_key: '${{ ENDING }}' } }],
    ])
    modelRun = await ask(Object.fromEntries(cases), {}, { env: { BAD, BROKEN, ENDING: 'ending-key-1234\n' } })
  })

  it.each(PROVIDERS)('%s: is an error of the target, not a bug', provider => {
    const ids = ['key', 'header', 'break'].map(what => `${provider}-${what}`)
    expect(ids.flatMap(id => modelRun.calls(id))).toEqual([])
    expect(ids.map(id => modelRun.record(id)?.error?.code)).toEqual(['target-error', 'target-error', 'target-error'])
  })

  it('is not printed', () => {
    const shown = JSON.stringify([modelRun.run.all, modelRun.run.stdout, modelRun.run.stderr])
    for (const part of ['key-ü-€', 'one-key-1234', 'another-5678', 'ending-key']) expect(shown).not.toContain(part)
  })

  it('is sent without a trailing line break', () => {
    for (const [provider, { header, value }] of KEYED) {
      expect(modelRun.sent(`${provider}-end`).headers[header]).toBe(`${value}ending-key-1234`)
    }
  })
})

describe('the URL of the API', () => {
  const PLACES: Record<string, Case & { path: RegExp }> = {
    openai: { provider: 'openai', target: url => ({ base_url: `${url}/v1/` }), path: /^\/v1\/responses$/ },
    openai_compatible: {
      provider: 'openai_compatible',
      target: url => ({ base_url: `${url}/v1/` }),
      path: /^\/v1\/chat\/completions$/,
    },
    anthropic: { provider: 'anthropic', target: url => ({ base_url: `${url}/v1/` }), path: /^\/v1\/messages$/ },
    google: {
      provider: 'google',
      target: url => ({ base_url: `${url}/v1beta/` }),
      path: /^\/v1beta\/models\/gemini-2\.5-flash:generateContent$/,
    },
    azure: {
      provider: 'azure',
      target: url => ({ endpoint: `${url}/` }),
      path: /^\/openai\/(v1\/)?responses(\?api-version=\w+)?$/,
    },
    'azure-at-base_url': {
      provider: 'azure',
      target: url => ({ endpoint: 'https://127.0.0.1:1', base_url: `${url}/proxy/v1/` }),
      path: /^\/proxy\/v1\/responses(\?api-version=\w+)?$/,
    },
    'azure-of-a-version': {
      provider: 'azure',
      target: { api_version: '2025-04-01-preview' },
      path: /\?api-version=2025-04-01-preview$/,
    },
  }
  const NO_URLS: Record<string, Case> = {
    openai: { provider: 'openai', target: { base_url: 'api.example.com/v1' } },
    openai_compatible: { provider: 'openai_compatible', target: { base_url: 'localhost:11434/v1' } },
    anthropic: { provider: 'anthropic', target: { base_url: 'ftp://127.0.0.1/v1' } },
    google: { provider: 'google', target: { base_url: '/v1beta' } },
    azure: { provider: 'azure', target: { endpoint: 'my-resource.openai.azure.com' } },
    'azure-base_url': { provider: 'azure', target: { endpoint: 'https://127.0.0.1:1', base_url: 'nowhere' } },
  }
  let modelRun: ModelRun
  let invalidRun: ModelRun
  beforeAll(async () => {
    modelRun = await ask(PLACES)
    invalidRun = await ask(NO_URLS)
  })

  it.each(Object.keys(PLACES))(
    '%s: is built from base_url, endpoint and version, with or without a trailing slash',
    id => {
      expect(modelRun.sent(id).path).toMatch(PLACES[id]?.path ?? '')
    },
  )

  it.each(Object.keys(NO_URLS))('%s: is an error of the target if it is invalid', id => {
    expect(invalidRun.run.stderr).not.toMatch(/^wait/m)
    expect(invalidRun.record(id)?.error).toMatchObject({ code: 'target-error' })
  })
})
