import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderWith, type Result } from '../../support/program.ts'
import { replyOf, say } from '../../support/servers/model-servers.ts'
import { type Server, serve } from '../../support/servers/server.ts'
import { targets } from './targets-command.ts'

describe('assay targets --ping', () => {
  let server: Server
  let cwd = ''
  let shown: Result
  let data: { targets: { name: string; status: string; ping?: { error?: { code: string; message: string } } }[] }
  const env = { MODEL_KEY: 'sk-OfTheTest1' }
  const pinged = (name: string) => data.targets.find(each => each.name === name)
  const isWaiting = (line: string) => /^\d+ of \d+, waiting for /.test(line)

  beforeAll(async () => {
    server = await serve((call, response) => {
      const [, status = ''] = call.path.split('/')
      if (status === 'hangs') return
      const error = { error: { message: `no, \u001b[2J not with ${call.headers.authorization}` } }
      const usage = { input: 14, output: 2 }
      say(Number(status), status === '200' ? replyOf('openai_compatible', { usage }) : error)(call, response)
    })
    const gone = await serve(() => {})
    await gone.close()
    const model = (name: string, status: string, more: object = {}) => ({
      ...{ name, provider: 'openai_compatible', model: 'm', base_url: `${server.url}/${status}` },
      ...{ api_key: '${{ MODEL_KEY }}', ...more },
    })
    const list = [
      model('fine', '200', { price: { input: 0.5, output: 1 }, system_prompt: 'Be brief.' }),
      model('denied', '401'),
      model('busy', '429', { retries: 3 }),
      model('broken', '500'),
      model('hanging', 'hangs', { timeout_seconds: 1 }),
      model('closed', '200', { base_url: gone.url }),
      { name: 'program', provider: 'cli', command: ['sh', '-c', 'cat; echo; pwd'] },
      { name: 'in-a-copy', provider: 'cli', command: ['sh', './agent.sh'], workspace: 'app', cwd: 'sub' },
      { name: 'failing', provider: 'cli', command: ['sh', '-c', 'echo one >&2; echo two >&2; exit 3'] },
      { name: 'sleeping', provider: 'cli', command: 'sleep 300', timeout_seconds: 1 },
      { name: 'always', provider: 'mock', response: 'ok' },
      { name: 'table', provider: 'mock', responses: [{ pattern: 'weather', response: 'Sunny.' }] },
      { name: 'again', provider: 'replay', from: 'latest' },
      { name: 'own', provider: './own.mjs' },
      { name: 'warning', provider: './warns.mjs' },
      { name: 'lacking', provider: 'cli', command: ['no-such-agent'] },
      { name: 'unset', provider: 'http', url: '${{ NOT_SET_ANYWHERE }}' },
    ]
    const own =
      'export default { config: { safeParse: data => ({ success: true, data }) }, answer() { throw new Error("own") } }\n'
    const warns = own.replace('throw new Error("own")', 'arguments[2].warn("careful\\u001b[2J"); return { text: "ok" }')
    cwd = folderWith({
      'app/sub/agent.sh': 'echo spoilt > agent.sh\necho ok\n',
      '.assay/targets.yaml': JSON.stringify({ targets: list }, null, 1),
      'own.mjs': own,
      'warns.mjs': warns,
    })
    const [text, json] = await Promise.all([targets(['--ping'], cwd, env), targets(['--ping', '--json'], cwd, env)])
    shown = text
    expect([json.code, json.stderr]).toEqual([2, ''])
    data = JSON.parse(json.stdout)
  })
  afterAll(() => server.close())

  it('shows which targets answered, how fast, and with how many tokens', () => {
    expect(shown.code).toBe(2)
    expect(shown.stderr.split('\n').filter(line => line !== '' && !isWaiting(line))).toEqual([])
    expect(shown.stdout).toMatch(
      /^ok {9}fine {7}openai_compatible {2}m at http:\S+\/200\n {4}answered in \d+ ms by the-model-1, 14 tokens in, 2 tokens out, \$0\.0000090\n/,
    )
    expect(shown.stdout).toMatch(/^ok {9}always {5}mock .*\n {4}answered in <?\d+ ms\nok /m)
    expect(pinged('fine')).toMatchObject({
      ping: {
        answer: { model: 'the-model-1', token_usage: { input: 14, output: 2 }, cost_usd: 0.000009 },
        warnings: [],
      },
    })
    expect(pinged('program')).toMatchObject({ status: 'ok' })
  })

  it('asks a target with a workspace in a copy, and leaves the folder unchanged', () => {
    expect(pinged('in-a-copy')).toMatchObject({ status: 'ok' })
    expect(readFileSync(join(cwd, 'app/sub/agent.sh'), 'utf8')).toContain('echo ok')
  })

  it('shows the warnings of a provider', () => {
    expect(shown.stdout).toMatch(/^ok {9}warning .*\n {4}answered in <?\d+ ms\n {4}warning careful␛\[2J$/m)
  })

  it('sends one short prompt with the system prompt of the target', () => {
    const [asked] = server.to('/200/chat/completions')
    expect(JSON.parse(asked?.body ?? '')).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Reply with the word ok.' },
      ],
    })
    for (const status of ['200', '401', '429', '500']) {
      expect(server.to(`/${status}/chat/completions`)).toHaveLength(2)
    }
  })

  it.each([
    ['denied', 'http-status', /^the server answered 401 Unauthorized: no, /],
    ['busy', 'http-status', /^the server answered 429 Too Many Requests/],
    ['broken', 'http-status', /^the server answered 500 Internal Server Error/],
    ['hanging', 'timeout', /^no answer within 1 s$/],
    ['closed', 'network', /^the connection failed: .*ECONNREFUSED/],
    ['failing', 'program-failed', /^the program ended with exit code 3: two\nstderr:\none\ntwo$/],
    ['sleeping', 'timeout', /^no answer within 1 s/],
    ['again', 'target-error', /^There is no earlier run\.$/],
    ['own', 'target-error', /own/],
  ])('shows why %s gives no answer', (name, code, message) => {
    expect(pinged(name)).toMatchObject({ status: 'no answer', ping: { error: { code } } })
    expect(pinged(name)?.ping?.error?.message).toMatch(message)
    expect(shown.stdout).toMatch(new RegExp(`^no answer  ${name} .*\\n    ${code}: \\S`, 'm'))
  })

  it('counts a target that has no answer for the ping as reachable', () => {
    expect(pinged('table')).toMatchObject({ status: 'ok', ping: { error: { code: 'no-match' }, is_there: true } })
    expect(shown.stdout).toContain(
      '    reachable, but has no answer for the ping: no pattern of the target matches the last user message',
    )
  })

  it('does not ping targets with something missing', () => {
    expect(pinged('lacking')).not.toHaveProperty('ping')
    expect(pinged('unset')).not.toHaveProperty('ping')
    expect(shown.stdout).toContain(
      '17 targets in .assay/targets.yaml: 6 ok, 2 with something missing, 9 without an answer\n',
    )
  })

  it('shows no secrets and no control characters', () => {
    expect(shown.stdout).toContain('␛[2J not with Bearer [MODEL_KEY]')
    expect(shown.stdout + JSON.stringify(data)).not.toContain('OfTheTest1')
    expect(shown.stdout).not.toContain('\u001b')
  })

  it('writes no records', () => {
    expect(readdirSync(join(cwd, '.assay'))).toEqual(['targets.yaml'])
  })

  it('exits with 3 if a target gives no answer, and with 0 if all answer', async () => {
    const [closed, always] = await Promise.all(['closed', 'always'].map(name => targets([name, '--ping'], cwd, env)))
    expect([closed?.code, always?.code]).toEqual([3, 0])
  })
})
