import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  ask,
  type Case,
  type ModelRun,
  model,
  PROVIDERS,
  type ProviderName,
  say,
} from '../../../support/servers/model-servers.ts'
import type { Behaviour } from '../../../support/servers/server.ts'

/** The variables that hold the keys; openai_compatible has no default one. */
const VARIABLES: Record<ProviderName, string> = {
  openai: 'OPENAI_API_KEY',
  azure: 'AZURE_OPENAI_API_KEY',
  openai_compatible: 'MY_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_GENERATIVE_AI_API_KEY',
}
const keyOf = (provider: ProviderName) => `sk-${provider}+Zq8/Marker "7"`
const KEYS = PROVIDERS.map(keyOf)

/** Texts that no output may contain: the middle of each key, which JSON and URLs leave unchanged, and its base64. */
const MARKS = ['Zq8', ...KEYS.map(key => Buffer.from(key).toString('base64').slice(0, 24))]
const marksIn = (text: string) => MARKS.filter(mark => text.includes(mark))

const worded = (message: string) => ({ type: 'error', error: { message, type: 'auth', code: 401, status: 'DENIED' } })

/** Replies that contain the key. */
const LEAKS: Record<string, (provider: ProviderName, key: string) => Behaviour> = {
  'in-words': (_, key) => say(401, worded(`Incorrect API key provided: ${key}. Find yours elsewhere.`)),
  'in-html': (_, key) => say(403, `<html><p>${key}</p></html>`),
  'in-json': (_, key) => say(400, JSON.stringify({ sent: { headers: { authorization: `Bearer ${key}` } } })),
  'in-base64': (_, key) => say(400, worded(`Basic ${Buffer.from(key).toString('base64')}`)),
  'in-a-url': (_, key) => say(404, worded(`/v1?key=${encodeURIComponent(key)}`)),
  'cut-in-words': (_, key) => say(401, worded(`${'x'.repeat(150)} ${key}`)),
  'cut-in-html': (_, key) => say(401, `${'x'.repeat(192)}${key}`),
  'in-a-reply-that-is-none': (_, key) => say(200, `${key} is wrong`),
  'in-an-answer': (provider, key) => model(provider, { text: `ok, you sent ${key}` }),
  'in-the-reason-of-a-wait': (_, key) => say(500, worded(`broken for ${key}`)),
}

let modelRun: ModelRun
beforeAll(async () => {
  const cases = PROVIDERS.flatMap(provider =>
    Object.entries(LEAKS).map(([id, leak]): [string, Case] => [
      `${provider}-${id}`,
      {
        provider,
        answer: leak(provider, keyOf(provider)),
        target: { api_key: provider === 'openai_compatible' ? '${{ MY_KEY }}' : undefined, retries: 1 },
      },
    ]),
  )
  const written: Case = {
    provider: 'anthropic',
    answer: say(401, worded('no sk-Zq8WrittenOut')),
    target: { api_key: 'sk-Zq8WrittenOut' },
  }
  const header: Case = {
    provider: 'google',
    answer: say(401, worded('no header Zq8InAHeader')),
    target: { headers: { 'X-Team': '${{ TEAM }}' } },
  }
  const env = Object.fromEntries(PROVIDERS.map(provider => [VARIABLES[provider], keyOf(provider)]))
  modelRun = await ask(
    { ...Object.fromEntries(cases), written, header },
    {},
    { args: ['-v', '--cache', '-o', 'out.jsonl'], env: { ...env, TEAM: 'Zq8InAHeader' } },
  )
})

describe('a key that a server repeats', () => {
  it('was received by the server', () => {
    for (const provider of PROVIDERS) {
      const [call] = modelRun.calls(`${provider}-in-words`)
      expect(Object.values(call?.headers ?? {}).join()).toContain(keyOf(provider))
    }
  })

  it.each(Object.keys(LEAKS))('%s: is replaced by its name in the record', id => {
    for (const provider of PROVIDERS) {
      const text = JSON.stringify(modelRun.record(`${provider}-${id}`))
      expect(marksIn(text)).toEqual([])
      if (!/^cut|is-none/.test(id)) expect(text).toContain(`[${VARIABLES[provider]}]`)
    }
  })

  it('is not on stdout or stderr', () => {
    expect(marksIn(modelRun.run.stdout)).toEqual([])
    expect(marksIn(modelRun.run.stderr)).toEqual([])
    expect(modelRun.run.stderr).toMatch(/^wait openai-in-the-reason-of-a-wait: .*\[OPENAI_API_KEY\]/m)
  })

  it('is in no file but the targets', () => {
    const files = (readdirSync(modelRun.folder, { recursive: true }) as string[])
      .map(name => join(modelRun.folder, name))
      .filter(file => statSync(file).isFile() && !file.endsWith('targets.yaml'))
    expect(files.length).toBeGreaterThan(3)
    expect(files.filter(file => marksIn(readFileSync(file, 'utf8')).length > 0)).toEqual([])
  })

  it('is also redacted if it is literal or in a header', () => {
    expect(modelRun.record('written')?.error?.message).toContain('[api_key]')
    expect(modelRun.record('header')?.error?.message).toContain('[TEAM]')
  })
})
