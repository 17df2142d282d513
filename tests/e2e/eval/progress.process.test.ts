import { dump } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { folderWith, PROGRAM, run } from '../../support/program.ts'

const suite = {
  name: 'live',
  tests: ['fast', 'slow'].map(id => ({
    id,
    criteria: 'Answers',
    input: id,
    assert: [{ type: 'contains', value: 'x' }],
  })),
}
const targets = {
  targets: [
    {
      name: 'default',
      provider: 'mock',
      responses: [
        { pattern: 'slow', response: 'x \u001b]0;title\u0007', delay_ms: 600 },
        { pattern: 'fast', response: 'y', delay_ms: 300 },
      ],
    },
  ],
}

/** The output on a terminal that `script` emulates; escape characters are shown as `ESC`. */
async function onTerminal(command: string, env: NodeJS.ProcessEnv = {}) {
  const cwd = folderWith({ 'EVAL.yaml': dump(suite), 'targets.yaml': dump(targets) })
  const line = `${process.execPath} ${PROGRAM} ${command}`
  const args = process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', line] : ['-qec', line, '/dev/null']
  const { code, stdout } = await run('script', args, { cwd, env: { CI: '', TERM: 'xterm', ...env } })
  return { code, stdout: stdout.replaceAll('\u001b', 'ESC') }
}

describe('progress on a terminal', () => {
  it('is redrawn, and removed at the end', async () => {
    const { code, stdout } = await onTerminal('eval')
    expect(code).toBe(1)
    expect(stdout).toContain('slow on default')
    expect(stdout).toMatch(/ESC\[31mfailESC\[39m ESC\[1mfast on defaultESC\[22m 0\.00: does not contain "x"/)
    expect(stdout).toMatch(/[█░]{24} 1\/2/)
    const afterLastFrame = stdout.split('ESC[1AESC[2K').at(-1)
    expect(afterLastFrame).not.toMatch(/[█░]/)
    expect(afterLastFrame).toContain('2 tests: ')
  })

  it('escapes control characters of an agent', async () => {
    const { stdout } = await onTerminal('eval -v')
    expect(stdout).toContain('x ␛]0;title␇')
    expect(stdout).not.toContain('ESC]0;')
  })

  it.each([{ CI: 'true' }, { TERM: 'dumb' }])('is plain lines with %j', async env => {
    const { stdout } = await onTerminal('eval', env)
    expect(stdout).not.toMatch(/[█░]|ESC\[\d*[AK]/)
    expect(stdout).toMatch(/\[2\/2\]/)
    expect(stdout).toMatch(/fast on default 0\.00 \d+ ms: does not contain "x"/)
  })

  it('has no colours with NO_COLOR', async () => {
    const { stdout } = await onTerminal('eval', { NO_COLOR: '1' })
    expect(stdout).not.toMatch(/ESC\[\d+m/)
    expect(stdout).toContain('2 tests: 1 passed, 1 failed')
  })
})
