import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/program.ts'
import { type Message, record, recordings, SERVER } from './recording-proxy.ts'

const server = (...flags: string[]) => ['--server', 'orders', '--', process.execPath, SERVER, ...flags]

describe('assay mock record passes on', () => {
  it('parallel calls whose answers come in another order', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    await Promise.all([
      proxy.call('later', { ms: 60 }, 1),
      proxy.call('later', { ms: 30 }, '1'),
      proxy.call('later', { ms: 1 }, 2),
    ])
    await proxy.end()
    expect(proxy.received.map(({ id }) => id)).toEqual([2, '1', 1])
    const outputs = recordings(cwd).map(({ input, output }) => [input, output])
    expect(outputs.sort()).toEqual([1, 30, 60].map(ms => [{ ms }, `after ${ms}`]))
  })

  it('batches', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    const call = (id: number, order: string): Message => ({
      id,
      method: 'tools/call',
      params: { name: 'get_order', arguments: { id: order } },
    })
    proxy.send([call(1, 'A1'), call(2, 'A2')])
    await proxy.next(({ id }) => id === 1)
    await proxy.end()
    expect(JSON.parse(proxy.output.stdout)).toHaveLength(2)
    expect(
      recordings(cwd)
        .map(({ output }) => output)
        .sort(),
    ).toEqual(['A1 is shipped', 'A2 is open'])
  })

  it('requests of the server, whose ids are its own', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    const answer = proxy.call('ask', {}, 7)
    await proxy.next(({ id, method }) => id === 7 && method === 'roots/list')
    proxy.send({ jsonrpc: '2.0', id: 7, result: { roots: [] } })
    expect(await answer).toMatchObject({ result: { content: [{ text: 'the client answered' }] } })
    await proxy.end()
    expect(recordings(cwd)).toMatchObject([{ tool: 'ask', output: 'the client answered' }])
  })

  it('progress, notifications and unknown methods', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    proxy.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await proxy.request('tools/call', { name: 'progress', arguments: { a: 1 }, _meta: { progressToken: 5 } })
    expect(await proxy.request('resources/list')).toMatchObject({ error: { code: -32601 } })
    await proxy.end()
    expect(proxy.received.map(({ method }) => method)).toEqual(['notifications/progress', undefined, undefined])
    // The token of the progress is not part of the input.
    expect(recordings(cwd)).toMatchObject([{ tool: 'progress', input: { a: 1 }, output: 'done' }])
  })

  it('lines unchanged: with CRLF, spaces, escapes and large numbers', async () => {
    const cwd = folderWith()
    const proxy = record(server('crlf'), { cwd })
    proxy.write(
      '{ "jsonrpc":"2.0",  "id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"\\u00e9"}}}\r\n',
    )
    proxy.write('\r\n\n')
    await proxy.next(({ id }) => id === 1)
    await proxy.end()
    expect(proxy.output.stdout).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"a\\":\\"é\\"}"}]}}\r\n',
    )
  })

  it('messages that arrive in halves', async () => {
    const proxy = record(server(), { cwd: folderWith() })
    const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'test/halves', params: { é: '€' } })
    const bytes = `${line}\n`
    proxy.write(bytes.slice(0, 20))
    proxy.write(bytes.slice(20))
    expect(await proxy.next(({ id }) => id === 1)).toMatchObject({ result: {} })
    await proxy.end()
  })

  it('a last message without a line break', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    const params = { name: 'get_order', arguments: { id: 'A1' } }
    proxy.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
    expect(await proxy.end()).toBe(0)
    expect(recordings(cwd)).toHaveLength(1)
  })

  it('results of 10 MB', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    const answer = await proxy.call('big', { size: 10_000_000 })
    expect(JSON.stringify(answer)).toHaveLength(10_000_000 + 73)
    expect(await proxy.end()).toBe(0)
    expect(String(recordings(cwd)[0]?.output)).toHaveLength(10_000_000)
  })

  it('inputs of 10 MB', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    await proxy.call('echo', { text: 'word '.repeat(2_000_000) })
    expect(await proxy.end()).toBe(0)
    expect(recordings(cwd)).toHaveLength(1)
  })

  it('stderr of the server to stderr, and lines that are not messages too', async () => {
    const proxy = record(server('garbage', 'stderr'), { cwd: folderWith() })
    await proxy.request('initialize')
    expect(await proxy.end()).toBe(0)
    expect(proxy.output.stdout.split('\n')).toHaveLength(2)
    expect(proxy.output.stderr).toContain('ready on stderr\n')
    expect(proxy.output.stderr).toContain('assay: the server printed a line that is not a message: Server listening…\n')
  })
})

describe('assay mock record does not record', () => {
  it('a call that the server does not answer, and ends all the same', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    void proxy.call('silence')
    await proxy.call('get_order', { id: 'A1' })
    expect(await proxy.end()).toBe(3)
    expect(proxy.output.stderr).toContain('1 call had no answer: not recorded\n')
    expect(recordings(cwd)).toHaveLength(1)
  })

  it('calls with an id that another call uses', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    void proxy.call('later', { ms: 40 }, 1)
    void proxy.call('later', { ms: 20 }, 1)
    await expect.poll(() => proxy.received.length).toBe(2)
    await proxy.end()
    expect(existsSync(join(cwd, 'mocks/.replay'))).toBe(false)
    expect(proxy.output.stderr).toMatch(/\d calls? could not be recorded\n/)
  })

  it('calls as tasks', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    await proxy.request('tools/call', { name: 'get_order', arguments: { id: 'A1' }, task: { ttl: 1 } })
    await proxy.end()
    expect(existsSync(join(cwd, 'mocks/.replay'))).toBe(false)
    expect(proxy.output.stderr).toContain('1 call could not be recorded\n')
  })

  it('answers that are nested too deep, or no results', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    expect(await proxy.call('deep')).toHaveProperty('result')
    expect(await proxy.call('empty')).toEqual({ jsonrpc: '2.0', id: 2, result: null })
    expect(await proxy.end()).toBe(3)
    expect(proxy.output.stderr).toContain('nested more than 200 levels deep')
    expect(proxy.output.stderr).toContain('a call of empty is not recorded: the answer is not a result of a tool')
    expect(proxy.output.stderr).toContain('2 calls could not be recorded\n')
  })

  it.each(['../x', '../../etc/passwd', 'a/b', 'a\\b', '', 'ö', 'x'.repeat(129), 'a\0b', 'a b', '\u001b[31m'])(
    'the tool %j, whose name is not safe',
    async name => {
      const cwd = folderWith()
      const proxy = record(server(), { cwd })
      await proxy.call(name)
      expect(await proxy.end()).toBe(3)
      expect(readdirSync(cwd)).toEqual(['mocks'])
      expect(readdirSync(join(cwd, 'mocks'))).toEqual([])
      expect(proxy.output.stderr).toContain('mocks cannot have a tool with this name')
      expect(proxy.output.stderr).not.toContain('\u001b')
    },
  )

  it('calls without a name', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    await proxy.request('tools/call', {})
    await proxy.request('tools/call', { name: { a: 1 } })
    await proxy.request('tools/call', [1])
    expect(await proxy.end()).toBe(3)
    expect(readdirSync(join(cwd, 'mocks'))).toEqual([])
  })
})

describe('assay mock record keeps apart', () => {
  it('tools whose names differ only in case, also where file names do not', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    for (const name of ['Find', 'find', 'FIND']) await proxy.call(name, { a: 1 })
    await proxy.end()
    const files = recordings(cwd).map(({ file }) => file.toLowerCase())
    expect(new Set(files).size).toBe(3)
    expect(recordings(cwd).map(({ tool }) => tool)).toEqual(['FIND', 'Find', 'find'])
  })

  it('inputs that differ, but not those with another order of keys', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    for (const input of [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      { a: '1', b: 2 },
      JSON.parse('{"__proto__": 1}'),
      {},
      undefined,
    ])
      await proxy.call('empty-name', input)
    await proxy.end()
    expect(recordings(cwd)).toHaveLength(4)
  })
})

describe('assay mock record ends', () => {
  it('with 3 when the server ends by itself with an error', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    await proxy.call('get_order', { id: 'A1' })
    void proxy.call('crash')
    expect(await proxy.ended).toBe(3)
    expect(proxy.output.stderr).toContain('assay: the server ended with exit code 3\n')
    expect(proxy.output.stderr).toContain('1 call had no answer')
    expect(recordings(cwd)).toHaveLength(1)
  })

  it('with 0 when the client closes stdin, whatever the exit code of the server is', async () => {
    const proxy = record(server('fails'), { cwd: folderWith() })
    await proxy.request('initialize')
    expect(await proxy.end()).toBe(0)
  })

  it('with 0 before the first message', async () => {
    const proxy = record(server(), { cwd: folderWith() })
    expect(await proxy.end()).toBe(0)
    expect(proxy.output.stderr).toContain('recorded 0 calls')
  })

  it('a server that ignores the end of stdin and SIGTERM', async () => {
    const proxy = record(server('stubborn'), { cwd: folderWith() })
    await proxy.request('initialize')
    expect(await proxy.end()).toBe(0)
    expect(proxy.output.stderr).toContain('ignores SIGTERM')
  })

  it.each([['SIGTERM', 143] as const, ['SIGINT', 130] as const])('both on %s', async (signal, code) => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd })
    await proxy.call('get_order', { id: 'A1' })
    proxy.signal(signal)
    expect(await proxy.ended).toBe(code)
    expect(recordings(cwd)).toHaveLength(1)
    expect(proxy.output.stderr).toContain('recorded 1 call in')
  })

  it('with 2 if a recording cannot be written, but the agent gets the answer', async () => {
    const cwd = folderWith()
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    })
    const proxy = record(server(), {
      cwd,
      changeHost: host => ({ ...host, files: { ...host.files, write: () => Promise.reject(full) } }),
    })
    expect(await proxy.call('get_order', { id: 'A1' })).toHaveProperty('result')
    await proxy.request('tools/list')
    expect(await proxy.end()).toBe(2)
    expect(proxy.output.stderr).toContain('a call of "get_order" could not be recorded: ENOSPC')
    expect(proxy.output.stderr).toContain('2 files could not be written')
  })
})
