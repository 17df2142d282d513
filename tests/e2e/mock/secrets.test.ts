import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderWith } from '../../support/program.ts'
import { record, recordings, SERVER } from './recording-proxy.ts'

const TOKEN = 'tok-4f9aQ2xR7LmZ81cd'

/** Everything below a folder as one text. */
function allText(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  return files.map(({ parentPath, name }) => `${name}\n${readFileSync(join(parentPath, name), 'utf8')}`).join('\n')
}

const server = (...args: string[]) => ['--server', 'orders', '--', process.execPath, SERVER, ...args]

describe('assay mock record redacts', () => {
  it('values of variables with the name of a secret, and names them at the end', async () => {
    const cwd = folderWith()
    const env = { ORDERS_TOKEN: TOKEN, DATABASE: 'postgres://me:hunter2hunter@db.example/x', PLAIN: 'ordinary text' }
    const proxy = record(server(), { cwd, env })
    const answer = await proxy.call('variable', { name: 'ORDERS_TOKEN' })
    await proxy.call('variable', { name: 'DATABASE' })
    await proxy.call('variable', { name: 'PLAIN' })
    expect(await proxy.end()).toBe(0)
    // The agent gets what the server sent.
    expect(JSON.stringify(answer)).toContain(TOKEN)
    expect(allText(join(cwd, 'mocks'))).not.toMatch(/tok-4f9a|hunter2hunter/)
    const outputs = recordings(cwd).map(({ output }) => output)
    expect(outputs.sort()).toEqual([
      'DATABASE is postgres://me:[password]@db.example/x',
      'ORDERS_TOKEN is [ORDERS_TOKEN]',
      'PLAIN is ordinary text',
    ])
    expect(proxy.output.stderr).toContain('assay: redacted: ORDERS_TOKEN, password\n')
    expect(proxy.output.stderr).not.toContain(TOKEN)
  })

  it('inputs, whose recording has the hash of the redacted input, with a warning', async () => {
    const [cwd, other] = [folderWith(), folderWith()]
    const proxy = record(server(), { cwd, env: { ORDERS_TOKEN: TOKEN } })
    await proxy.call('echo', { auth: TOKEN, [TOKEN]: 1, nested: [{ text: `Bearer ${TOKEN}` }] })
    await proxy.end()
    expect(proxy.output.stderr).toContain(
      'the input of a call of echo contains secrets (ORDERS_TOKEN), which are redacted',
    )
    const [recording] = recordings(cwd)
    const input = { auth: '[ORDERS_TOKEN]', '[ORDERS_TOKEN]': 1, nested: [{ text: 'Bearer [ORDERS_TOKEN]' }] }
    expect(recording?.input).toEqual(input)
    const same = record(server(), { cwd: other })
    await same.call('echo', input)
    await same.end()
    expect(recordings(other)[0]?.file).toBe(recording?.file)
  })

  it('keys of known formats, encoded secrets and numbers', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd, env: { ORDERS_TOKEN: TOKEN, PIN_SECRET: '8675309421' } })
    const base64 = Buffer.from(`user:${TOKEN}`).toString('base64')
    await proxy.call('echo', { a: 'sk-abcdefghijklmnop1234', b: base64, c: 8675309421, d: encodeURIComponent(TOKEN) })
    await proxy.end()
    const text = allText(join(cwd, 'mocks'))
    expect(text).not.toMatch(/sk-abcdef|8675309421|tok-4f9a/)
    expect(text).not.toContain(base64)
  })

  it('arguments of the command with the name of a secret', async () => {
    const cwd = folderWith()
    const args = ['--api-key', 'k3y-of-the-server', '--token=t0ken-of-the-server', '--queue', '--resume']
    const proxy = record(server(...args), { cwd })
    await proxy.call('echo', { a: 'k3y-of-the-server', b: 't0ken-of-the-server', c: '--queue' })
    await proxy.end()
    expect(recordings(cwd)[0]?.input).toEqual({ a: '[api-key]', b: '[token]', c: '--queue' })
  })

  it('lists of tools', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd, env: { ORDERS_SECRET: 'Returns an order' } })
    await proxy.request('tools/list')
    await proxy.end()
    expect(allText(join(cwd, 'mocks'))).toContain('"description": "[ORDERS_SECRET]"')
  })
})

describe('assay mock record keeps', () => {
  it('values of variables that only look like secrets', async () => {
    const cwd = folderWith()
    const env = {
      GIT_AUTHOR_NAME: 'Jane Doe',
      PWD: cwd,
      OLDPWD: '/home/jane',
      DESKTOP_SESSION: 'ubuntu',
      XDG_SESSION_TYPE: 'wayland',
      SSH_AUTH_SOCK: '/run/agent',
      AWS_WEB_IDENTITY_TOKEN_FILE: '/var/run/token',
      SHORT_KEY: 'abc',
    }
    const proxy = record(server(), { cwd, env })
    const values = Object.values(env)
    await proxy.call('echo', { values })
    await proxy.end()
    expect(recordings(cwd)[0]?.input).toEqual({ values })
    expect(proxy.output.stderr).not.toContain('redacted')
  })

  it('the words of a recording, even if one of them is a secret', async () => {
    const cwd = folderWith()
    const proxy = record(server(), { cwd, env: { ONE_TOKEN: 'verdict', TWO_TOKEN: 'output' } })
    await proxy.call('echo', { a: 'verdict and output' })
    await proxy.end()
    expect(recordings(cwd)[0]).toMatchObject({ input: { a: '[ONE_TOKEN] and [TWO_TOKEN]' }, verdict: 'ok' })
  })
})
