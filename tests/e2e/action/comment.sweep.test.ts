import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Call } from '../../support/servers/server.ts'
import { type ActionRequest, runAction } from './action-runner.ts'
import { checkout, installStandIn, type StandIn } from './checkout.ts'
import { BOT, type FakeGitHub, fakeGitHub, TOKENS } from './fake-github.ts'

const MARKER = '<!-- assay:ci%2Fevals -->'
const REPORT = '### 2 of 3 tests passed\n\n- **fail** greets on default\n'
const INSTEAD = 'The summary of the job has the report.'

let folder = ''
let github: FakeGitHub

beforeAll(async () => {
  folder = await checkout()
})
beforeEach(async () => {
  github = await fakeGitHub()
})
afterEach(() => github.close())

/** Runs the steps after a run. */
function comment(request: Partial<ActionRequest> = {}) {
  return runAction({ checkout: folder, api: github.url, token: TOKENS.write, made: { report: REPORT }, ...request })
}

/** Runs all steps. */
function runAndComment(standIn: StandIn, request: Partial<ActionRequest> = {}) {
  installStandIn(join(folder, 'node_modules/.bin'), standIn)
  return runAction({ checkout: folder, api: github.url, token: TOKENS.write, ...request })
}

async function restart(fault: Parameters<typeof fakeGitHub>[0]) {
  await github.close()
  github = await fakeGitHub(fault)
}

const isList = ({ method, path }: Call) => method === 'GET' && path.includes('/comments')
const isCreate = ({ method, path }: Call) => method === 'POST' && path.includes('/comments')

describe('the comment on a pull request', () => {
  it('is created, and then updated in place', async () => {
    expect(await runAndComment({ report: REPORT })).toMatchObject({ code: 0, summary: REPORT, commands: [] })
    expect(github.comments).toMatchObject([{ id: 101, user: BOT }])
    expect(github.comments[0]?.body).toBe(
      `${MARKER}\n<!-- run:1000.1 -->\n${REPORT}\n<sub>\`ci/evals\`, commit c0ffee, [run 12](https://github.example/octo/agent/actions/runs/1000)</sub>\n`,
    )
    const later = { report: '### 3 of 3 tests passed\n', code: 1 }
    expect(await runAndComment(later, { env: { GITHUB_RUN_ID: '1001' } })).toMatchObject({ code: 1 })
    expect(github.comments).toHaveLength(1)
    expect(github.comments[0]?.body).toContain('### 3 of 3 tests passed')
    expect(github.writes()).toEqual(['POST', 'PATCH'])
  })

  it('is found behind hundreds of other comments', async () => {
    for (let index = 0; index < 250; index++) github.add(`Comment ${index}`, { login: 'alice', type: 'User' })
    const own = github.add(`${MARKER}\r\nold`)
    for (let index = 0; index < 300; index++) github.add('later', null)
    expect(await comment()).toMatchObject({ code: 0 })
    expect(own.body).toContain(REPORT)
    expect(github.writes()).toEqual(['PATCH'])
    expect(github.calls.filter(isList)).toHaveLength(6)
  })

  it.each<[string, string, { login: string; type: string }]>([
    ['a quote by another bot', `> ${MARKER}\n> old`, { login: 'quoting[bot]', type: 'Bot' }],
    ['a quote by the same bot', `Earlier:\n${MARKER}\nold`, BOT],
    ['a copy by a user, who could change it later', `${MARKER}\n### all passed`, { login: 'mallory', type: 'User' }],
    ['a copy by a user with the name of the bot', `${MARKER}\nold`, { login: 'github-actions', type: 'User' }],
    ['the comment of another job', '<!-- assay:ci%2Fother -->\nold', BOT],
  ])('does not replace %s', async (_, body, user) => {
    const other = github.add(body, user)
    expect(await comment()).toMatchObject({ code: 0 })
    expect(other.body).toBe(body)
    expect(github.writes()).toEqual(['POST'])
  })

  it('keeps the result of a newer run', async () => {
    const newer = github.add(`${MARKER}\n<!-- run:1001.1 -->\nnewer`)
    const { code, log } = await comment()
    expect(code).toBe(0)
    expect(log).toContain('a newer run has written it')
    expect(newer.body).toContain('newer')
    await comment({ env: { GITHUB_RUN_ID: '1001', GITHUB_RUN_ATTEMPT: '2' } })
    expect(newer.body).toContain(REPORT)
  })

  it('is one comment after two runs at the same moment', async () => {
    // Both have to look before either of them creates.
    const waiting: (() => void)[] = []
    await restart(async call => {
      if (!isCreate(call) || github.comments.length > 0) return false
      await new Promise<void>(resolve => {
        waiting.push(resolve)
        if (waiting.length === 2) for (const go of waiting) go()
      })
      return false
    })
    const env = { ASSAY_API_TIMEOUT_MS: '20000' }
    await Promise.all([comment({ env }), comment({ env: { ...env, GITHUB_RUN_ID: '1001' } })])
    expect(github.comments).toHaveLength(1)
    expect(github.comments[0]?.body).toContain('<!-- run:1001.1 -->')
  })

  it('removes duplicates of an earlier run', async () => {
    github.add(`${MARKER}\nfirst`)
    github.add(`${MARKER}\nsecond`)
    await comment()
    expect(github.comments).toMatchObject([{ id: 101, body: expect.stringContaining(REPORT) }])
  })

  it('has its own text for each job of a matrix, and for a name', async () => {
    await runAndComment({}, { matrix: { index: 0, total: 2 } })
    await runAndComment({}, { matrix: { index: 1, total: 2 } })
    await runAndComment({}, { inputs: { name: 'nightly --> <b>`@alice`</b>' } })
    expect(github.comments.map(({ body }) => body.split('\n')[0])).toEqual([
      '<!-- assay:ci%2Fevals%2F0 -->',
      '<!-- assay:ci%2Fevals%2F1 -->',
      '<!-- assay:nightly%20--%3E%20%3Cb%3E%60%40alice%60%3C%2Fb%3E -->',
    ])
    expect(github.comments[2]?.body).toContain('`nightly --> <b>@alice</b>`')
  })

  it('is cut at the size limit of GitHub, with a line that names where the rest is', async () => {
    const row = `| ${'🦜é'.repeat(20)} | fail |\n`
    const report = `<details>\n\n| test | verdict |\n|---|---|\n${row.repeat(3000)}\n</details>\n`
    const { code, summary } = await comment({ made: { report } })
    expect(code).toBe(0)
    const body = github.comments[0]?.body ?? ''
    expect(body.length).toBeGreaterThan(64_000)
    expect(body.length).toBeLessThan(65_536)
    expect(body).toMatch(/fail \|\n\n<\/details>\n\n\*\*The report is cut here\*\*: .+ has all of it\.\n\n<sub>/)
    expect(body).not.toContain('\uFFFD')
    expect(summary).toBe(report)
  })

  it('is cut in the summary below 1 MiB', async () => {
    const report = '- 語語語語語語語語語語\n'.repeat(100_000)
    const { summary } = await comment({ made: { report }, inputs: { comment: 'false' } })
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024)
    expect(summary).toMatch(/語\n\n\*\*The report is cut here\*\*.+\n$/)
    expect(github.calls).toEqual([])
  })
})

describe('without a comment, the job keeps its result and the summary has the report', () => {
  const FORK = { pull_request: { number: 7, head: { sha: 'c0ffee', repo: { full_name: 'mallory/agent' } } } }

  it('a fork without a token, whose tests fail', async () => {
    const { code, commands, summary } = await runAndComment({ code: 1, report: REPORT }, { token: '', event: FORK })
    expect({ code, summary }).toEqual({ code: 1, summary: REPORT })
    expect(commands).toEqual([expect.stringContaining('::warning'), expect.stringContaining('::error')])
  })

  it.each<[string, Partial<ActionRequest>, string]>([
    ['a fork without a token', { token: '', event: FORK }, 'the input `token` is empty'],
    [
      'a fork with a read-only token',
      { token: TOKENS.read, event: FORK },
      'status 403; the token of a pull request from a fork is read-only',
    ],
    [
      'a fork that was deleted',
      { token: TOKENS.read, event: { pull_request: { number: 7, head: { repo: null } } } },
      'from a fork',
    ],
    [
      'a job without permission',
      { token: TOKENS.read },
      'status 403; give the job `permissions: pull-requests: write`',
    ],
    ['an invalid token', { token: 'expired' }, 'status 401'],
    ['an API that cannot be reached', { api: 'http://127.0.0.1:9' }, 'No comment: POST /graphql: '],
  ])('%s', async (_, request, warning) => {
    const { code, commands, summary } = await comment(request)
    expect(code).toBe(0)
    expect(commands).toEqual([expect.stringMatching(/^::warning title=Assay::No comment: /)])
    expect(commands[0]).toContain(warning)
    expect(commands[0]).toContain(INSTEAD)
    expect(summary).toBe(REPORT)
    expect(github.comments).toEqual([])
  })

  it.each<[string, object]>([
    ['a push', { ref: 'refs/heads/main' }],
    ['an issue', { issue: { number: 7 } }],
    ['an event without content', []],
  ])('%s, which is not a pull request', async (_, event) => {
    const { code, commands, log, summary } = await comment({ event, env: { GITHUB_BASE_REF: '' } })
    expect({ code, commands, summary }).toEqual({ code: 0, commands: [], summary: REPORT })
    expect(log).toContain(`No comment: this is not a pull request. ${INSTEAD}`)
    expect(github.calls).toEqual([])
  })

  it('a server that fails all the time', async () => {
    await restart((_, response) => response.writeHead(502).end('<html>'))
    const { code, commands } = await comment()
    expect(code).toBe(0)
    expect(commands[0]).toContain('status 502')
    expect(github.calls).toHaveLength(3)
  })

  it('a server that never answers', async () => {
    await restart(() => true)
    const { code, commands } = await comment({ env: { ASSAY_API_TIMEOUT_MS: '200' } })
    expect(code).toBe(0)
    expect(commands[0]).toContain('timed out')
    expect(github.calls.length).toBeLessThanOrEqual(3)
  })

  it.each<[string, string]>([
    ['HTML in place of JSON', '<html>'],
    ['an account without a name', '{"data":{"viewer":null},"errors":[{"message":"::error::"}]}'],
  ])('%s', async (_, text) => {
    await restart((_, response) => response.writeHead(200).end(text))
    expect(await comment()).toMatchObject({
      code: 0,
      commands: [expect.stringContaining('::warning')],
      summary: REPORT,
    })
  })
})

describe('a temporary failure of the API', () => {
  it.each<[string, number, Record<string, string>]>([
    ['500', 500, {}],
    ['429', 429, { 'retry-after': '0' }],
    ['a secondary rate limit', 403, { 'retry-after': '0' }],
  ])('%s is tried again', async (_, status, headers) => {
    await restart((call, response) => call.nth === 1 && response.writeHead(status, headers).end())
    expect(await comment()).toMatchObject({ code: 0, commands: [] })
    expect(github.comments).toHaveLength(1)
  })

  it('is not waited for longer than the timeout', async () => {
    await restart((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    expect(await comment()).toMatchObject({ code: 0, commands: [expect.stringContaining('status 429')] })
    expect(github.calls).toHaveLength(1)
  })

  it('leaves one comment if the answer to its creation is lost', async () => {
    await restart((call, response) => {
      if (!isCreate(call) || call.nth > 1) return false
      github.add(JSON.parse(call.body).body)
      return response.writeHead(500).end()
    })
    expect(await comment()).toMatchObject({ code: 0 })
    expect(github.comments).toMatchObject([{ id: 101 }])
  })
})
