import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { command } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const SUITE = 'name: s\ntests:\n  - { id: a, input: Hello, assert: [{ type: contains, value: Hello }] }\n'

function folder(target: object, more: Record<string, string> = {}): string {
  const targets = [
    { name: 'default', ...target },
    { name: 'unused', provider: 'cli', command: ['no-such-agent'] },
  ]
  return folderWith({
    'package.json': '{}',
    'suites/EVAL.yaml': SUITE,
    '.assay/targets.yaml': JSON.stringify({ targets }),
    'suites/file.txt': 'no program\n',
    'file.txt': 'no program\n',
    ...more,
  })
}

describe('a program that cannot be started is an error before the run', () => {
  it.each<[what: string, target: object, words: string]>([
    ['not on PATH', { command: ['no-such-agent'] }, 'there is no program `no-such-agent` on PATH'],
    ['not at its path', { command: ['./no-such-agent'] }, 'suites/no-such-agent'],
    ['a folder that is not there', { command: ['cat'], cwd: 'no-such-folder' }, 'there is no folder'],
    ['no folder for the shell', { command: 'cat', cwd: 'no-such-folder' }, 'there is no folder'],
    ['a folder that is a file', { command: ['cat'], cwd: 'file.txt' }, 'there is no folder'],
    ['a file that is no program', { command: ['./file.txt'] }, 'file.txt is not executable'],
    ['a path through a file', { command: ['./file.txt/agent'] }, 'there is no program at'],
    ['a coding agent', { provider: 'claude_cli', command: 'no-such-agent' }, '`no-such-agent` on PATH'],
  ])('%s', async (_, target, words) => {
    const cwd = folder({ provider: 'cli', ...target })
    const { code, stderr } = await command(['eval', 'suites'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('error not-available')
    expect(stderr).toContain(words)
  })

  it('but not where the program is in the folder of the suite, nor where no test asks it', async () => {
    const cwd = folder({ provider: 'cli', command: ['./agent.sh'] }, { 'suites/agent.sh': '#!/bin/sh\ncat\n' })
    chmodSync(join(cwd, 'suites/agent.sh'), 0o755)
    expect((await command(['eval', 'suites'], { cwd })).code).toBe(0)
  })

  it('and an error of the attempt where it disappears meanwhile', async () => {
    const script = '#!/bin/sh\nrm -- "$0"\ncat\n'
    const cwd = folder({ provider: 'cli', command: ['./agent.sh'] }, { 'suites/agent.sh': script })
    chmodSync(join(cwd, 'suites/agent.sh'), 0o755)
    const { code, stdout } = await command(['eval', 'suites', '--trials', '2', '--workers', '1', '--json'], { cwd })
    expect(code).toBe(3)
    expect(stdout).toContain('program-missing')
  })
})
