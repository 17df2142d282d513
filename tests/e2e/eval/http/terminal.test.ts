import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evalFolder, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { type Server, serve } from '../../../support/servers/server.ts'

/** Colour, clear, title, bell, carriage return, backspace, a one-character CSI, DEL, and bidirectional overrides. */
const HOSTILE = '\u001b[31mred\u001b[2J\u001b]0;title\u0007\rover\b\u009b31m\u007f\u202eesrever\u2066\u200f'

/** Control and bidirectional characters, except line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const found = (text: string) => STEERS.exec(text)?.[0] ?? 'nothing'

describe.each([
  ['in answers', 200, 'plain-id'],
  ['in errors', 400, 'plain-id'],
  ['in answers and ids', 200, `id-${HOSTILE}`],
  ['in errors and ids', 400, `id-${HOSTILE}`],
])('control characters %s', (_, status, id) => {
  let server: Server
  let folder = ''

  beforeAll(async () => {
    server = await serve((_, response) => response.writeHead(status).end(`ok ${HOSTILE}`))
    const target = { name: 'default', provider: 'http', url: server.url, retries: 0 }
    const failing = { id, input: HOSTILE, criteria: HOSTILE, assert: [{ type: 'equals', value: HOSTILE }] }
    folder = evalFolder([failing], [target])
  })
  afterAll(() => server.close())

  it.each([[[]], [['-v']], [['--plan']], [['--quiet']], [['--json']]])('are escaped by `eval` with %j', async args => {
    const { code, stdout, stderr } = await assay(['eval', ...args], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: args[0] === '--plan' ? 0 : status === 200 ? 1 : 3 })
    expect(found(stdout)).toBe('nothing')
    expect(found(stderr)).toBe('nothing')
    expect(stdout + stderr).toContain(args[0] === '--plan' ? '1 attempt' : 'red')
  })

  it.each([[[]], [['--json']]])('are escaped by `explain` with %j', async args => {
    await evaluate(folder)
    const { code, stdout, stderr } = await assay(['explain', 'latest', '*', ...args], { cwd: folder })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(found(stdout)).toBe('nothing')
    expect(stdout).toContain('red')
  })

  it('are unchanged in the records', async () => {
    const { all } = await evaluate(folder)
    expect(all[0]?.test_id).toBe(id)
    expect(status === 200 ? all[0]?.answer : all[0]?.error?.message).toContain(HOSTILE)
  })
})

describe('lines of an answer', () => {
  it('cannot imitate lines of the program', async () => {
    const line = '[1/1] pass fake on default 1.00'
    const server = await serve((_, response) =>
      response.writeHead(500).end(`no\n${line}\n\nwait x: no longer waiting after 1 s`),
    )
    const target = { name: 'default', provider: 'http', url: server.url, retries: 1 }
    const { code, stderr } = await evaluate(evalFolder([{ id: 'a', input: 'hi' }], [target]))
    await server.close()
    expect(code).toBe(3)
    const lines = stderr.split('\n')
    expect(lines).not.toContain(line)
    const waits = lines.filter(text => text.startsWith('wait '))
    expect(waits.map(text => text.slice(0, 14))).toEqual(['wait default: ', 'wait default: '])
  })
})
