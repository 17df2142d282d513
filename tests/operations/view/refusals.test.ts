import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { emptyProject, startView, writeRun } from './view-server.ts'

const RUN = '20261117-090000-abcd'

function projectWithRun(): string {
  const project = emptyProject({ 'secret.txt': 'SECRET' })
  writeRun(project, RUN, [{ answer: 'ANSWER' }])
  return project
}

describe('the server of the view refuses', () => {
  it.each<[what: string, headers: (port: string) => Record<string, string>]>([
    ['another host name (DNS rebinding)', port => ({ host: `evil.example:${port}` })],
    ['localhost', port => ({ host: `localhost:${port}` })],
    ['another origin', () => ({ origin: 'https://evil.example' })],
    ['a page from disk', () => ({ origin: 'null' })],
  ])('%s', async (_, headers) => {
    const { send, address } = await startView(projectWithRun())
    for (const path of ['', 'api/project', 'api/runs', `api/runs/${RUN}`, `api/runs/${RUN}/tests/0`]) {
      const { status, body } = await send(path, { headers: headers(address.port) })
      expect([status, body.toString()]).toEqual([403, 'Forbidden\n'])
    }
    expect(await send(`api/runs/${RUN}/stop`, { method: 'POST', headers: headers(address.port) })).toMatchObject({
      status: 403,
    })
  })

  it('requests without its token, or with another one', async () => {
    const { send, address } = await startView(projectWithRun())
    const token = address.pathname.slice(1, -1)
    const other = token.replace(/^./, first => (first === 'A' ? 'B' : 'A'))
    for (const url of [
      '/api/runs',
      `/${other}/api/runs`,
      `/${token.slice(0, -1)}/api/runs`,
      `/api/runs?token=${token}`,
    ])
      expect(await send('', { url })).toMatchObject({ status: 403 })
  })

  it('paths that lead anywhere else', async () => {
    const project = projectWithRun()
    const outside = emptyProject()
    writeRun(outside, 'elsewhere', [{ answer: 'SECRET' }])
    const runs = join(project, '.assay/runs')
    symlinkSync(join(outside, '.assay/runs/elsewhere'), join(runs, 'linked'))
    // A folder of its own, whose records are links.
    mkdirSync(join(runs, 'borrowed'))
    for (const name of ['run.json', 'results.jsonl'])
      symlinkSync(join(outside, '.assay/runs/elsewhere', name), join(runs, 'borrowed', name))
    renameSync(writeRun(project, 'merge', [{}]), join(runs, '.merging-merge'))
    const { send } = await startView(project)
    const up = encodeURIComponent('../../secret.txt')
    const ids = [
      ...['..', '.', '%2e%2e', '%2E%2E%2F%2E%2E', up, encodeURIComponent(join(outside, '.assay/runs/elsewhere'))],
      ...[`${RUN}%00`, `%00${RUN}`, `${RUN}%2F`, `${RUN}%5C`, `.%2F${RUN}`, 'linked', 'borrowed', '.merging-merge'],
      ...['latest', '', '*', '%', '%zz', '%ff', 'git:HEAD', 'x'.repeat(20_00), '__proto__', 'constructor', 'nul'],
    ]
    for (const id of ids)
      for (const path of ['', '/tests/0', '/tests/0/history', '/live', `/tests/0/images/${'a'.repeat(64)}`])
        expect([id, path, (await send(`api/runs/${id}${path}`)).status]).toEqual([id, path, 404])
    for (const id of ids) {
      const { status } = await send(`api/runs/${id}/stop`, { method: 'POST' })
      expect([id, status]).toEqual([id, 404])
      expect((await send(`api/compare/${RUN}/${id}`)).status).toBe(404)
      expect((await send(`api/compare/${id}/${RUN}`)).status).toBe(404)
    }
    for (const index of ['-1', '1', '0x0', '1e1', '00000000', '%30%30x', 'NaN', ''])
      expect([index, (await send(`api/runs/${RUN}/tests/${index}`)).status]).toEqual([index, 404])
    for (const path of ['api', 'api/', 'api/runs/', `api/runs/${RUN}/`, 'runs', '.assay', '..%2fsecret.txt', 'label/'])
      expect([path, (await send(path)).status]).toEqual([path, 404])
    const { json } = await send('api/runs')
    expect(JSON.stringify(json)).not.toContain('SECRET')
  })

  it('other methods, large bodies, and any write', async () => {
    const project = projectWithRun()
    const { send } = await startView(project)
    const before = readdirSync(project, { recursive: true }).sort()
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
      expect(await send(`api/runs/${RUN}`, { method })).toMatchObject({ status: 405 })
    for (const path of ['', 'api/project', 'api/runs', `api/runs/${RUN}`, `api/runs/${RUN}/live`, 'label/answers/1'])
      expect(await send(path, { method: 'POST', body: '{}' })).toMatchObject({ status: 404 })
    expect(await send(`api/runs/${RUN}/stop`, { method: 'POST', body: 'x'.repeat(70_000) })).toMatchObject({
      status: 413,
    })
    expect(await send(`api/runs/${RUN}/stop`)).toMatchObject({ status: 404 })
    const stopped = await send(`api/runs/${RUN}/stop`, { method: 'POST' })
    expect([stopped.status, stopped.json]).toEqual([409, { error: 'No process works on this run.' }])
    expect(readdirSync(project, { recursive: true }).sort()).toEqual(before)
  })
})

it('sends every response with headers that protect it, and hostile texts only as JSON', async () => {
  const project = emptyProject()
  const hostile = '</script><script>alert(1)</script>\u2028\u202e\ud800'
  writeRun(project, RUN, [{ test_id: hostile, answer: hostile, target: hostile, suite: '__proto__' }], {
    info: { label: hostile },
  })
  writeFileSync(join(project, '.assay/runs', RUN, 'live.json'), hostile)
  const { send } = await startView(project)
  const paths = ['', 'api/project', 'api/runs', `api/runs/${RUN}`, `api/runs/${RUN}/tests/0`, `api/runs/${RUN}/live`]
  for (const path of [...paths, `api/runs/${RUN}/tests/0/history`, `api/compare/${RUN}/${RUN}`, 'nothing']) {
    const { headers, body } = await send(path)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['content-type']).toMatch(path === '' ? /^text\/html/ : path === 'nothing' ? /^text\/plain/ : /json/)
    if (path === '' || path === 'nothing') expect(body.toString()).not.toContain(hostile)
  }
  const { json } = await send(`api/runs/${RUN}/tests/0`)
  expect(json[0].answer).toBe(hostile)
})
