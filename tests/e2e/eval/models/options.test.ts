import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evalFolder } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { model, PROVIDERS, type ProviderName, targetOf } from '../../../support/servers/model-servers.ts'
import { type Server, serve } from '../../../support/servers/server.ts'
import { resultsIn } from '../../../support/suite-run.ts'

let server: Server
let answering: ProviderName = 'openai'

beforeAll(async () => {
  server = await serve((call, response) => model(answering)(call, response))
})

afterAll(() => server.close())

/** Asks a model once: what it was sent, and the result. */
async function ask(
  provider: ProviderName,
  fields: object,
  options: { files?: Record<string, string>; env?: object } = {},
) {
  answering = provider
  server.calls.length = 0
  const target = { name: 'default', ...targetOf(provider, `${server.url}/base`), ...fields }
  const cwd = evalFolder([{ id: 'a', input: 'Hi' }], [target], options.files)
  const { code, stderr } = await assay(['eval'], { cwd, env: { ...options.env } })
  const [call] = server.calls
  return { code, stderr, call, body: call && JSON.parse(call.body), result: resultsIn(cwd)[0], cwd }
}

describe('options of a model', () => {
  it.each(PROVIDERS)('%s: are sent unchanged in the spelling of the service, also single words', async provider => {
    const options = { seed: 7, stop: ['x'], top_k: 5, some_new_thing: { a: [1] } }
    const { code, body } = await ask(provider, { options })
    expect(body).toMatchObject(options)
    expect(code).toBe(0)
  })

  it.each(PROVIDERS)('%s: are rejected before a request if the SDK would ignore them', async provider => {
    for (const [options, path] of [
      [{ someNewThing: 1 }, 'someNewThing'],
      [{ user: 'me', 'with-dash': 1 }, 'with-dash'],
    ] as const) {
      const { code, call, result } = await ask(provider, { options })
      expect(result?.error).toMatchObject({ code: 'target-error', stage: 'answer' })
      expect(result?.error?.message).toContain(`\`options\`: \`${path}\` is unknown to the provider's SDK`)
      expect(call).toBeUndefined()
      expect(code).toBe(3)
    }
  })

  it.each<[provider: ProviderName, options: object, named: string, meant: string]>([
    ['openai', { reasoningEfort: 'low' }, 'reasoningEfort', 'reasoningEffort'],
    ['openai_compatible', { reasoningEfort: 'low' }, 'reasoningEfort', 'reasoningEffort'],
    ['anthropic', { metadata: { usrId: 'me' } }, 'metadata.usrId', 'userId'],
    ['google', { thinkingConfig: { thinkingBuget: 5 } }, 'thinkingConfig.thinkingBuget', 'thinkingBudget'],
  ])('%s: are rejected with the most similar known option', async (provider, options, named, meant) => {
    const { result } = await ask(provider, { options })
    expect(result?.error?.message).toContain(
      `\`${named}\` is unknown to the provider's SDK; did you mean \`${meant}\`?`,
    )
  })

  it.each(PROVIDERS)('%s: are rejected with the likely spelling of the service', async provider => {
    const { result } = await ask(provider, { options: { topK: 5 } })
    expect(result?.error?.message).toContain(
      "`topK` is unknown to the provider's SDK; names with an underscore are sent unchanged: `top_k`",
    )
  })

  it('openai_compatible: include those of its SDK, and mappings unchanged', async () => {
    const options = { reasoningEffort: 'low', textVerbosity: 'high', user: 'me', extra: { newThing: { a: [1] } } }
    const { code, body } = await ask('openai_compatible', { options })
    expect(body).toMatchObject({ reasoning_effort: 'low', verbosity: 'high', user: 'me', extra: options.extra })
    expect(body).not.toHaveProperty('reasoningEffort')
    expect(code).toBe(0)
  })
})

describe('the URL of an API', () => {
  const NONE = { OPENAI_BASE_URL: undefined, ANTHROPIC_BASE_URL: undefined }
  const cases = [
    ['openai', 'OPENAI_BASE_URL', '/v1', '/v1/responses'],
    ['anthropic', 'ANTHROPIC_BASE_URL', '', '/v1/messages'],
    ['anthropic', 'ANTHROPIC_BASE_URL', '/proxy/v2', '/proxy/v2/messages'],
  ] as const

  it.each(cases)('of %s comes from %s, with the path %j', async (provider, name, path, asked) => {
    const fields = { base_url: undefined }
    const url = `${server.url}${path}`
    const fromFile = await ask(provider, fields, { files: { '.env': `${name}=${url}\n` }, env: NONE })
    expect(fromFile.call?.path).toBe(asked)
    expect(fromFile.code).toBe(0)
    const fromEnvironment = await ask(provider, fields, {
      files: { '.env': `${name}=http://127.0.0.1:9\n` },
      env: { ...NONE, [name]: url },
    })
    expect(fromEnvironment.call?.path).toBe(asked)
  })

  it('of the target overrides the variable, which may be empty', async () => {
    const env = { OPENAI_BASE_URL: 'http://127.0.0.1:9' }
    expect((await ask('openai', {}, { env })).call?.path).toBe('/base/responses')
    const { cwd } = await ask('openai', {}, { env: { OPENAI_BASE_URL: '' } })
    const { stdout } = await assay(['targets'], { cwd, env: { OPENAI_BASE_URL: '' } })
    expect(stdout).toContain(server.url)
  })

  it('is printed by `assay targets` if it comes from a variable', async () => {
    const { cwd } = await ask('openai', { base_url: undefined }, { env: { OPENAI_BASE_URL: `${server.url}/v1` } })
    const { stdout } = await assay(['targets'], { cwd, env: { OPENAI_BASE_URL: `${server.url}/v1` } })
    expect(stdout).toContain(`gpt-4.1 at ${server.url}/v1`)
  })
})
