import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { type Server, serve } from '../../support/servers/server.ts'

/** Writes a file when it is executed. */
const TRACE = "require('node:fs').writeFileSync(process.env.TRACE, '')"

/** A provider that writes a file when it is loaded. */
const own = (trace: string) =>
  `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(trace)}, '')\nexport default {}\n`

let server: Server
let cwd = ''
let trace = ''

beforeAll(async () => {
  server = await serve((_, response) => response.end('ok'))
  const test = {
    ...{ id: 'a', criteria: 'c', expected_output: 'x' },
    input: 'Hi',
    assert: [
      { type: 'code_judge', command: ['node', '-e', TRACE] },
      { type: 'code_judge', name: 'shell', command: `node -e "${TRACE}"` },
    ],
  }
  const targets = [
    { name: 'default', provider: 'cli', command: ['node', '-e', TRACE], workspace: '.' },
    { name: 'web', provider: 'http', url: server.url },
    { name: 'model', provider: 'openai_compatible', model: 'm', base_url: server.url },
  ]
  const target = { name: 'own', provider: './own.mjs' }
  trace = join(folderWith(), 'trace')
  cwd = folderWith({
    'EVAL.yaml': JSON.stringify({ name: 'theirs', tests: [test] }),
    'targets.yaml': JSON.stringify({ targets }),
    ...Object.fromEntries(
      // A module is loaded only once per process, so each command gets its own folder.
      ['one', 'two', 'three'].flatMap(folder => [
        [`${folder}/EVAL.yaml`, JSON.stringify({ name: 'code', execution: { target: 'own' }, tests: [test] })],
        [`${folder}/targets.yaml`, JSON.stringify({ targets: [target] })],
        [`${folder}/own.mjs`, own(trace)],
      ]),
    ),
  })
})
afterAll(() => server.close())

async function runAndTrace(args: readonly string[]): Promise<{ ran: boolean; fetched: number }> {
  rmSync(trace, { force: true })
  const before = server.calls.length
  await assay(args, { cwd, env: { TRACE: trace } })
  return { ran: existsSync(trace), fetched: server.calls.length - before }
}

describe('an untrusted suite', () => {
  it.each([
    ['validate', '.'],
    ['validate', 'EVAL.yaml', '--targets'],
    ['validate', 'targets.yaml', 'one/targets.yaml'],
    ['list', '.'],
    ['eval', 'EVAL.yaml', '--plan'],
    ['targets'],
    ['transpile', 'EVAL.yaml', '--stdout'],
    ['explain', 'latest', '*'],
    ['report', 'latest', '--format', 'html'],
    ['compare', 'latest', 'latest'],
    ['log', 'list'],
  ])('is neither executed nor causes requests with %s %s %s', async (...args) => {
    expect(await runAndTrace(args)).toEqual({ ran: false, fetched: 0 })
  })

  it.each([
    ['validate', 'one', '--targets'],
    ['eval', 'two', '--plan'],
    ['targets', '--targets', 'three/targets.yaml'],
  ])('with a custom provider is loaded by %s %s %s', async (...args) => {
    expect(await runAndTrace(args)).toEqual({ ran: true, fetched: 0 })
  })

  it('is executed by eval only', async () => {
    expect((await runAndTrace(['eval', 'EVAL.yaml', '-q'])).ran).toBe(true)
    for (const args of [
      ['explain', 'latest', '*'],
      ['report', 'latest', '--format', 'html'],
      ['merge', 'latest'],
    ])
      expect(await runAndTrace(args)).toEqual({ ran: false, fetched: 0 })
  })
})
