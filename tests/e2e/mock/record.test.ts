import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { record, recordedTools, recordings, SERVER } from './recording-proxy.ts'

const ARGS = ['--server', 'orders', '--out', 'mocks', '--', process.execPath, SERVER]

describe('assay mock record', () => {
  it('passes calls on and writes one recording for each', async () => {
    const cwd = folderWith()
    const proxy = record(ARGS, { cwd })
    await proxy.request('initialize', { protocolVersion: '2025-06-18' })
    expect(await proxy.call('get_order', { id: 'A1' })).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: { content: [{ type: 'text', text: 'A1 is shipped' }] },
    })
    await proxy.call('get_order', { id: 'A2' })
    expect(await proxy.end()).toBe(0)
    const [first, second] = recordings(cwd).sort((a, b) => String(a.output).localeCompare(String(b.output)))
    expect(first).toMatchObject({ tool: 'get_order', input: { id: 'A1' }, output: 'A1 is shipped', verdict: 'ok' })
    expect(second).toMatchObject({ tool: 'get_order', input: { id: 'A2' }, output: 'A2 is open', verdict: 'ok' })
    expect(first?.file).toBe(`get_order-${createHash('sha256').update('{"id":"A1"}').digest('hex')}.json`)
    expect(proxy.output.stderr).toContain(`recorded 2 calls in ${join(cwd, 'mocks/.replay/orders')}\n`)
  })

  it('writes a recording in the layout of Claude Code', async () => {
    const cwd = folderWith()
    const proxy = record(ARGS, { cwd })
    await proxy.call('get_order', { id: 'A1' })
    await proxy.end()
    const file = recordings(cwd)[0]?.file ?? ''
    const text = readFileSync(join(cwd, 'mocks/.replay/orders', file), 'utf8')
    expect(Object.keys(JSON.parse(text))).toEqual(['input', 'output', 'verdict', 'recordedAt', 'model'])
    expect(JSON.parse(text)).toMatchObject({ recordedAt: expect.stringMatching(/^\d{4}-.*Z$/), model: null })
  })

  it('joins the pages of the list of tools', async () => {
    const cwd = folderWith()
    const proxy = record(ARGS, { cwd })
    await proxy.request('tools/list')
    await proxy.request('tools/list', { cursor: '1' })
    await proxy.end()
    expect(recordedTools(cwd).map(({ name }) => name)).toEqual(['get_order', 'cancel'])
  })

  it('keeps errors, several blocks, images and structured content', async () => {
    const cwd = folderWith()
    const proxy = record(ARGS, { cwd })
    const picture = await proxy.call('picture')
    await proxy.call('refund')
    await proxy.call('cancel', { id: 'A1' })
    await proxy.call('missing')
    await proxy.end()
    const [cancel, missing, pictured, refund] = recordings(cwd)
    expect(cancel).toMatchObject({ output: { ok: true }, result: { structuredContent: { ok: true } } })
    expect(missing).toMatchObject({ output: 'Unknown tool: missing', verdict: 'error' })
    expect(missing?.error).toEqual({ code: -32602, message: 'Unknown tool: missing', data: { known: 9 } })
    expect(pictured).toMatchObject({ input: {}, output: 'front', result: picture['result'] })
    expect(refund).toMatchObject({ output: 'refunds are off today', verdict: 'error' })
    expect(refund).not.toHaveProperty('result')
  })

  it('keeps the last of several answers to the same input, with a warning', async () => {
    const cwd = folderWith()
    const proxy = record(ARGS, { cwd })
    await proxy.call('get_order', { id: 'A1' })
    await proxy.call('cancel', { id: 'A1' })
    await proxy.call('get_order', { id: 'A1' })
    expect(await proxy.end()).toBe(0)
    expect(recordings(cwd).find(({ tool }) => tool === 'get_order')?.output).toBe('A1 is cancelled')
    expect(proxy.output.stderr).toContain('get_order was called again with the same input and answered differently')
  })

  it('merges into a folder with mocks, and never changes a written mock', async () => {
    const replay = JSON.stringify({ input: { id: 'A1' }, output: 'old', verdict: 'ok' })
    const cwd = folderWith({
      'mocks/orders/get_order.md': 'by hand\n',
      'mocks/orders/_tools.json': JSON.stringify({ tools: [{ name: 'mine' }, { name: 'cancel', description: 'old' }] }),
      [`mocks/.replay/orders/get_order-${'0'.repeat(64)}.json`]: replay,
      [`mocks/.replay/orders/other-${'1'.repeat(64)}.json`]: replay,
      'mocks/.replay/orders/get_order-broken.json': '{',
    })
    const proxy = record(ARGS, { cwd })
    await proxy.request('tools/list')
    await proxy.request('tools/list', { cursor: '1' })
    await proxy.call('get_order', { id: 'A1' })
    expect(await proxy.end()).toBe(0)
    expect(readFileSync(join(cwd, 'mocks/orders/get_order.md'), 'utf8')).toBe('by hand\n')
    expect(recordedTools(cwd).map(({ name }) => name)).toEqual(['mine', 'cancel', 'get_order'])
    expect(recordedTools(cwd)[1]?.description).toBe('Cancels an order')
    const folder = join(cwd, 'mocks/.replay/orders')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    // The recording with this input, whatever its hash is made of.
    expect(JSON.parse(read(`get_order-${'0'.repeat(64)}.json`)).output).toBe('A1 is shipped')
    expect(JSON.parse(read(`other-${'1'.repeat(64)}.json`)).output).toBe('old')
    expect(read('get_order-broken.json')).toBe('{')
  })

  it('does not write a recording again that has the same answer', async () => {
    const cwd = folderWith()
    const times: string[] = []
    for (const _ of [1, 2]) {
      const proxy = record(ARGS, { cwd })
      await proxy.call('get_order', { id: 'A1' })
      await proxy.end()
      times.push(JSON.stringify(recordings(cwd)))
      if (times.length > 1) expect(proxy.output.stderr).toContain('recorded 1 call in')
    }
    expect(times[1]).toBe(times[0])
  })

  it('writes a recording before the agent gets the answer', async () => {
    const cwd = folderWith()
    const proxy = record(ARGS, { cwd })
    await proxy.call('get_order', { id: 'A1' })
    expect(recordings(cwd)).toHaveLength(1)
    await proxy.end()
  })
})

describe('assay mock record rejects', () => {
  const cases: [what: string, args: string[], message: RegExp][] = [
    ['no server', [], /There is no server to record/],
    ['a command and a URL', ['--url', 'http://127.0.0.1:9', '--', 'node'], /There are two servers/],
    ['a header without a URL', ['--header', 'A: b', '--', 'node'], /--header needs --url/],
    ['a URL that is not HTTP', ['--url', 'ftp://x'], /must begin with http/],
    ['credentials in a URL', ['--url', 'http://u:p4ssw0rd@x/'], /must not contain credentials/],
    ['a header without a name', ['--url', 'http://127.0.0.1:9', '--header', 's3cretvalue'], /A --header is not valid/],
    ['a program that does not exist', ['--', './no-such-server'], /The server cannot be started: .*ENOENT/],
  ]
  it.each(cases)('%s', async (_, args, message) => {
    const cwd = folderWith()
    const { code, stdout, stderr } = await assay(['mock', 'record', '--server', 'orders', ...args], { cwd })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toContain('s3cretvalue')
  })

  it.each(['', '..', '../x', 'a/b', 'a__b', 'ö', 'x'.repeat(65), 'a b', '.replay'])(
    'the name %j of a server',
    async name => {
      const cwd = folderWith()
      const args = ['mock', 'record', `--server=${name}`, '--', process.execPath, SERVER]
      const { code, stderr } = await assay(args, { cwd })
      expect(code).toBe(2)
      expect(stderr).toContain("option '--server <name>'")
      expect(existsSync(join(cwd, 'mocks'))).toBe(false)
    },
  )

  it('a folder that is a file', async () => {
    const cwd = folderWith({ mocks: '' })
    const { code, stderr } = await assay(['mock', 'record', ...ARGS], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/mocks cannot be used for mocks: .*\nName another folder with --out\.\n/)
  })

  it('a list of tools that cannot be read', async () => {
    const cwd = folderWith({ 'mocks/orders/_tools.json': '{' })
    const { code, stderr } = await assay(['mock', 'record', ...ARGS], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('is not a list of tools')
  })

  it('a name that differs from another server only in case', async () => {
    const cwd = folderWith({ 'mocks/Orders/_tools.json': '{"tools":[]}' })
    const { code, stderr } = await assay(['mock', 'record', ...ARGS], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Use --server Orders')
  })
})
