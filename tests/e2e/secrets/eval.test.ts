import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evalFolder, evaluate } from '../../support/evaluation.ts'
import { assay } from '../../support/in-process.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { runFolder } from '../../support/suite-run.ts'
import { folderText } from './folder-text.ts'

/** The part of the key that no output may contain; JSON and URLs leave its letters unchanged. */
const MARK = 'Zq8MarkerRun7Tz5Kx'
const KEY = `sk"a+b/c ${MARK}'\\=/+"&é`

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The mark itself, and in base64 at each of the three offsets. */
const MARKS = [MARK, ...[0, 1, 2].map(before => base64('x'.repeat(before) + MARK).slice(before + 2, -4))]

/** Responses that contain the key, by request path. */
const COMMON: Record<string, (key: string) => string> = {
  plain: key => `ok, you sent Bearer ${key}`,
  json: key => JSON.stringify({ ok: true, sent: { authorization: `Bearer ${key}` } }),
  url: key => `ok https://example.com/?key=${encodeURIComponent(key)}`,
  base64: key => `ok ${base64(key)}`,
  basic: key => `ok Basic ${base64(`user:${key}`)}`,
  'basic-name': key => `ok Basic ${base64(`me:${key}:x`)}`,
  base64url: key => `ok ${Buffer.from(`u:${key}`).toString('base64url')}`,
}
const RARE: Record<string, (key: string) => string> = {
  form: key => `ok ${new URLSearchParams({ key })}`,
  'lower-case-url': key => `ok ${encodeURIComponent(key).replace(/%[0-9A-F]{2}/g, hex => hex.toLowerCase())}`,
  'json-with-escaped-slashes': key => `ok ${JSON.stringify(key).replaceAll('/', '\\/')}`,
  'json-in-json': key => JSON.stringify({ ok: JSON.stringify({ key }) }),
}

function expectNoSecret(text: string): void {
  expect(MARKS.filter(mark => text.includes(mark))).toEqual([])
}

let server: Server
beforeAll(async () => {
  server = await serve(({ path, headers }, response) => {
    const key = Buffer.from(headers.authorization ?? '', 'latin1')
      .toString('latin1')
      .replace('Bearer ', '')
    const [, status = '', name = ''] = path.split('/')
    const padding = Number(new URL(path, server.url).searchParams.get('padding') ?? 0)
    const text = 'x'.repeat(padding) + ({ ...COMMON, ...RARE }[name.replace(/\?.*/, '')]?.(key) ?? key)
    response.writeHead(Number(status)).end(text)
  })
})
afterAll(() => server.close())

const env = { MY_KEY: KEY }
const target = (more: object = {}) => ({
  name: 'default',
  provider: 'http',
  url: `${server.url}/200/{{prompt}}`,
  headers: { Authorization: 'Bearer ${{ MY_KEY }}' },
  ...more,
})
const tests = Object.keys(COMMON).map(id => ({ id, input: id }))
const failing = tests.map(test => ({ ...test, assert: [{ type: 'equals', value: 'something else' }] }))

describe.each(['200', '401'])('a key that a server repeats with status %s', status => {
  let folder = ''
  let ended: Evaluated
  let outputs: Record<string, string> = {}

  beforeAll(async () => {
    const url = `${server.url}/${status}/{{prompt}}`
    folder = evalFolder(failing, [target({ url })])
    ended = await evaluate(folder, ['-v', '--cache', '-o', 'out.json', '-o', 'out.jsonl'], env)
    const json = await assay(['eval', '--json'], { cwd: folder, env })
    const explained = await assay(['explain', 'latest', '*'], { cwd: folder })
    const explainedJson = await assay(['explain', 'latest', '*', '--json'], { cwd: folder })
    const resumed = await assay(['eval', '--resume', '--json'], { cwd: folder, env })
    outputs = {
      'stderr with -v': ended.stderr,
      'stdout of --json': json.stdout,
      'stderr of --json': json.stderr,
      'out.json': readFileSync(join(folder, 'out.json'), 'utf8'),
      'out.jsonl': readFileSync(join(folder, 'out.jsonl'), 'utf8'),
      explain: explained.stdout,
      'explain --json': explainedJson.stdout,
      '--resume --json': resumed.stdout,
    }
  })

  it('is sent to the server, and the exit code is correct', () => {
    expect(server.calls.length).toBeGreaterThan(0)
    expect(server.calls[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(ended.code).toBe(status === '200' ? 1 : 3)
    expect(ended.all).toHaveLength(tests.length)
  })

  it.each([
    'stderr with -v',
    'stdout of --json',
    'stderr of --json',
    'out.json',
    'out.jsonl',
    'explain',
    'explain --json',
    '--resume --json',
  ])('is replaced by its name in %s', name => {
    expectNoSecret(outputs[name] ?? '')
    if (name !== 'explain' || status === '401') expect(outputs[name]).toContain('[MY_KEY]')
  })

  it.each(tests.map(({ id }) => id))('is replaced by its name in the record of %s', id => {
    const result = ended.results.get(id)
    expectNoSecret(JSON.stringify(result))
    expect(status === '200' ? result?.answer : result?.error?.message).toContain('[MY_KEY]')
  })

  it.each(['run.json', 'answers.jsonl', 'results.jsonl'])('is not in %s', name => {
    expectNoSecret(readFileSync(join(runFolder(folder), name), 'utf8'))
  })

  it('is in no other file, including the cache', () => {
    expectNoSecret(folderText(folder))
  })
})

describe('a key in an unusual encoding is redacted', () => {
  it.each(Object.keys(RARE))('%s', async name => {
    const folder = evalFolder([{ id: name, input: name }], [target()])
    const { all } = await evaluate(folder, [], env)
    expect(all[0]?.verdict).toBe('pass')
    expectNoSecret(JSON.stringify(all))
    expect(all[0]?.answer).toContain('[MY_KEY]')
  })
})

describe('a truncated key', () => {
  it.each([150, 160, 165])('is not shown in part in a message after %i characters', async padding => {
    const folder = evalFolder(
      [{ id: 'cut', input: 'hi' }],
      [target({ url: `${server.url}/401/plain?padding=${padding}`, retries: 0 })],
    )
    const { all, stderr } = await evaluate(folder, [], env)
    expect(all[0]?.error?.code).toBe('http-status')
    for (const text of [all[0]?.error?.message ?? '', stderr]) expect(text).not.toContain(MARK.slice(0, 5))
  })

  it('is not shown in part if a response path is missing', async () => {
    const folder = evalFolder(
      [{ id: 'cut', input: 'hi' }],
      [target({ url: `${server.url}/200/json`, response: { text: 'reply' } })],
    )
    const { all } = await evaluate(folder, [], env)
    expect(all[0]?.error?.code).toBe('bad-response')
    expect(all[0]?.error?.message).not.toContain(MARK.slice(0, 5))
  })
})

describe('values that count as secrets', () => {
  const shownAnswer = async (targets: object[], variables: NodeJS.ProcessEnv) => {
    const folder = evalFolder([{ id: 'a', input: 'hi' }], targets)
    const { all, stderr } = await evaluate(folder, ['-o', 'out.json'], variables)
    expect({ stderr, answers: all.length }).toMatchObject({ answers: 1 })
    return `${all[0]?.answer}\n${readFileSync(join(folder, 'out.json'), 'utf8')}\n${folderText(runFolder(folder))}`
  }
  const echoed = { url: '', body: { prompt: '{{prompt}}' } }

  it.each([
    ['a variable in a header', { headers: { authorization: 'Bearer ${{ PLAIN }}' } }, { PLAIN: MARK }],
    ['a variable in any header', { headers: { authorization: 'x', 'x-id': '${{ PLAIN }}' } }, { PLAIN: MARK }],
    ['a variable named like a secret', { body: { a: ['${{ MY_PASSWORD }}'] } }, { MY_PASSWORD: MARK }],
    ['a variable in a key named like a secret', { body: { deep: { user_token: '${{ PLAIN }}' } } }, { PLAIN: MARK }],
    ['a variable in the URL named like a secret', { url: '?q=${{ OAUTH_ID }}' }, { OAUTH_ID: MARK }],
  ])('%s', async (_, fields, variables) => {
    const mirror = await serve(({ path, headers, body }, response) =>
      response.end(`ok ${path} ${headers.authorization} ${headers['x-id']} ${body}`),
    )
    const { url = '', ...others } = { ...echoed, ...fields }
    const shown = await shownAnswer(
      [{ name: 'default', provider: 'http', ...others, url: `${mirror.url}/${url}` }],
      variables as NodeJS.ProcessEnv,
    )
    await mirror.close()
    expect(
      mirror.calls.map(({ path, headers, body }) => `${path} ${JSON.stringify(headers)} ${body}`).join(),
    ).toContain(MARK)
    expectNoSecret(shown)
    expect(shown).toContain(`[${Object.keys(variables)[0]}]`)
  })

  it('a literal key in a header', async () => {
    const shown = await shownAnswer([target({ url: `${server.url}/200/plain`, headers: { Authorization: MARK } })], {})
    expectNoSecret(shown)
  })

  it('a key with a trailing line break, which headers drop', async () => {
    const shown = await shownAnswer([target({ url: `${server.url}/200/plain` })], { MY_KEY: `${MARK}\n` })
    expectNoSecret(shown)
  })

  it('neither a short value nor a variable with an ordinary name', async () => {
    const shown = await shownAnswer(
      [target({ url: `${server.url}/200/plain?\${{ PLACE }}`, body: { a: '${{ PLACE }}' } })],
      { MY_KEY: 'short', PLACE: 'somewhere' },
    )
    expect(shown).toContain('Bearer short')
  })
})

describe('a redirect to another server', () => {
  it('does not forward the key', async () => {
    const stranger = await serve((_, response) => response.end('ok'))
    const away = stranger.url.replace('127.0.0.1', 'localhost')
    const mover = await serve((_, response) => response.writeHead(307, { location: away }).end())
    const headers = { Authorization: 'Bearer ${{ MY_KEY }}', 'x-api-key': '${{ MY_KEY }}' }
    await evaluate(evalFolder([{ id: 'a', input: 'hi' }], [target({ url: mover.url, headers })]), [], { MY_KEY: MARK })
    await Promise.all([stranger.close(), mover.close()])
    expect(mover.calls[0]?.headers).toMatchObject({ authorization: `Bearer ${MARK}`, 'x-api-key': MARK })
    expectNoSecret(JSON.stringify(stranger.calls))
  })
})
