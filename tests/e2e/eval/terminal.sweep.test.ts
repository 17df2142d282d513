import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { dump } from 'js-yaml'
import { describe, expect, onTestFinished } from 'vitest'
import { itInTmux, TmuxShell } from '../../support/external/tmux.ts'
import { folderWith, PROGRAM } from '../../support/program.ts'

/** The attempts at slow tests end when a file exists. */
const AGENT = `case "$1" in
slow*) while [ ! -e go ]; do sleep 0.1; done; echo ok ;;
text*) echo 'Your order A-17 was cancelled, and the refund arrives within five days.' ;;
json*) echo '{"order": {"status": "sent", "total": 42.5}}' ;;
lines*) printf 'one\\ntwo\\nthree and a half\\nfour\\n' ;;
*) printf 'no \\033[2J\\033]0;title\\007 \\342\\200\\256 name' ;;
esac
`

const LONG = 'slow-with-a-name-that-is-longer-than-a-narrow-terminal-is-wide'

const TESTS = [
  {
    id: 'text',
    assert: [{ type: 'equals', value: 'Your order A-17 is cancelled, and the refund arrives within five days.' }],
  },
  {
    id: 'json',
    expected_output: { order: { status: 'shipped', total: 42.5 } },
    assert: [{ type: 'field_accuracy', fields: [{ path: 'order.status' }, { path: 'order.total' }] }],
  },
  { id: 'lines', assert: [{ type: 'equals', value: 'one\ntwo\nthree\nfour' }] },
  { id: 'hostile', assert: [{ type: 'equals', value: 'Bob' }] },
  { id: `${LONG}-1`, assert: [{ type: 'contains', value: 'ok' }] },
]

interface Session {
  readonly shell: TmuxShell
  readonly folder: string
  /** Lets slow attempts end. */
  finish(): void
}

async function startIn(files: Readonly<Record<string, string>>, columns: number, args = ''): Promise<Session> {
  const folder = folderWith(files)
  const shell = await TmuxShell.start(folderWith())
  await shell.resize(columns, 30)
  // As in most sessions, earlier output is above the run: tmux moves the first rows to its history when it wraps lines.
  await shell.type(`cd ${folder}; clear; seq 40; ${process.execPath} ${PROGRAM} eval ${args}; echo "exit $?"`, 'Enter')
  return { shell, folder, finish: () => writeFileSync(join(folder, 'go'), '') }
}

function suiteFiles(tests: readonly object[] = TESTS, agent = 'sh ./agent.sh {TEST_ID}'): Record<string, string> {
  const suite = { name: 'support', tests: tests.map(test => ({ criteria: 'Helps', input: 'Help!', ...test })) }
  const targets = [{ name: 'default', provider: 'cli', command: agent }]
  return { 'EVAL.yaml': dump(suite), 'targets.yaml': dump({ targets }), 'agent.sh': AGENT }
}

/** The text without its line breaks and indentation, which depend on the width. */
const flat = (text: string) => text.replace(/\s+/g, ' ')

describe('a run in a terminal', () => {
  itInTmux.for([60, 80, 140])('streams failures, and ends with the table, in %i columns', async columns => {
    const { shell, finish } = await startIn(suiteFiles(), columns, '--trials 3 --workers 8')
    const live = await shell.until(
      screen => /fail hostile/.test(screen) && screen.includes('12/15') && screen.includes(LONG.slice(0, 40)),
    )
    expect(flat(live)).toContain(': the answer is "Your order A-17 was cancelled')
    expect(live.match(/same as trial/g)?.length).toBe(8)
    expect(live.match(/[█░]{10,24} 12\/15/g)).toHaveLength(1)
    finish()
    await shell.until(/^exit 1$/m)
    const all = await shell.history()
    const [streamed = '', report = ''] = all.split(/(?=^fail text on default 3 of 3 trials)/m)
    expect(streamed.match(/^fail text on default/gm)?.length).toBeGreaterThanOrEqual(1)
    expect(all).not.toMatch(/[█░]/)
    expect(all).not.toContain(LONG)
    expect(report).toContain('    - Your order A-17 is cancelled, and')
    expect(report).toContain('    + Your order A-17 was cancelled, and')
    expect(report).toContain('    - order.status: "shipped"\n    + order.status: "sent"\n')
    expect(report).toContain('      two\n    - three\n    + three and a half\n      four\n')
    expect(report.match(/of 3 trials/g)).toHaveLength(4)
    expect(report).toMatch(/^suite .*\nsupport .*\n[\s\S]*\n5 tests: 1 passed, 4 failed\n/m)
    expect(report.slice(report.indexOf('5 tests:'))).not.toContain('fail ')
    for (const line of all.split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
  })

  itInTmux('leaves no lines of the frame behind when it is resized', async () => {
    const tests = [1, 2, 3].map(number => ({ id: `${LONG}-${number}`, assert: [{ type: 'contains', value: 'ok' }] }))
    const { shell, finish } = await startIn(suiteFiles(tests), 140, '--workers 8')
    const frames = async () => (await shell.history()).match(/slow-with|[█░]{10,24}/g)?.length
    const isDrawn = (width: number) => (screen: string) => new RegExp(`^[█░]{${width}} 0/3 `, 'm').test(screen)
    await shell.until(isDrawn(24))
    for (const [columns, width] of [
      [60, 10],
      [100, 24],
      [40, 10],
      [140, 24],
    ] as const) {
      await afterRedraw(shell)
      await shell.resize(columns, 30)
      await shell.until(isDrawn(width))
      expect(await frames(), `${columns} columns:\n${await shell.history()}`).toBe(4)
    }
    finish()
    await shell.until(/^exit 0$/m)
    expect(await frames()).toBeUndefined()
    expect(await shell.history()).not.toContain('slow-with')
  })

  itInTmux('names each target that attempts wait for on one line, and Ctrl-C leaves a clean screen', async () => {
    const url = await busyServer()
    const targets = ['gpt', 'other'].map(name => ({ name, provider: 'http', url: `${url}/${name}`, workers: 3 }))
    const suite = {
      name: 'support',
      execution: { targets: ['gpt', 'other'] },
      tests: [1, 2, 3].map(number => ({
        id: `test-${number}`,
        criteria: 'Helps',
        input: 'Help!',
        assert: [{ type: 'contains', value: 'ok' }],
      })),
    }
    const files = { 'EVAL.yaml': dump(suite), 'targets.yaml': dump({ targets }) }
    const { shell } = await startIn(files, 80, '--workers 6')
    const screen = await shell.until(
      text => /gpt waits \d+ s/.test(text) && /other waits \d+ s: .*\(\d attempts?\)/.test(text),
    )
    expect(screen.match(/ waits /g)).toHaveLength(2)
    await shell.type('', 'C-c')
    await shell.until(/^exit 130$/m)
    const all = await shell.history()
    expect(all).toContain('Stopping: finished attempts are kept.')
    expect(all).not.toMatch(/[█░]| waits /)
  })

  itInTmux('a second Ctrl-C erases the frame too', async () => {
    // The agent presses it when the first one asks it to end, long before it is killed: a test would press it too late.
    const agent = "trap 'tmux send-keys C-c' TERM; touch ready; while :; do sleep 0.1; done"
    const files = { ...suiteFiles(TESTS.slice(-1), 'exec sh ./agent.sh'), 'agent.sh': agent }
    const { shell, folder } = await startIn(files, 80)
    // Before its trap the agent would end with the first Ctrl-C.
    await shell.until(screen => /[█░]{24} 0\/1/.test(screen) && existsSync(join(folder, 'ready')))
    await shell.type('', 'C-c')
    await shell.until(/^exit 130$/m)
    const all = await shell.history()
    expect(all).toContain('Press Ctrl-C again')
    expect(all).not.toContain('partial run')
    expect(all).not.toMatch(/[█░]/)
  })
})

/** Waits until the seconds of a frame have just changed: a program that draws while its terminal changes does not know its size. */
async function afterRedraw(shell: TmuxShell): Promise<void> {
  const before = await shell.screen()
  let last = await shell.until(screen => screen !== before)
  for (let isStill = false; !isStill; ) {
    await new Promise(resolve => setTimeout(resolve, 150))
    const next = await shell.screen()
    isStill = next === last
    last = next
  }
}

/** A server that asks every client to wait for 200 seconds. */
async function busyServer(): Promise<string> {
  const server: Server = createServer((_, response) => {
    response.writeHead(429, { 'retry-after': '200' }).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
