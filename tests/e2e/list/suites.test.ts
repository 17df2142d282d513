import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

describe('list', () => {
  const cwd = folderWith({
    'EVAL.yaml':
      'name: one\nmetadata: {tags: [x]}\ntests:\n  - {id: a, criteria: Is kind, input: Hi, metadata: {tags: [y]}}\n  - ./more.yaml\n',
    'more.yaml':
      '- id: b\n  description: Second\n  criteria: Is short\n  input: Hi\n  assert:\n    - {type: contains, value: x}\n',
  })

  it('shows suites and tests with their locations', async () => {
    const { code, stdout } = await assay(['list'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toBe('one  2 tests  EVAL.yaml\n  a  Is kind  (EVAL.yaml:4)\n  b  Second  (more.yaml:1)\n')
  })

  it('prints JSON with --json', async () => {
    const { stdout } = await assay(['list', '--json'], { cwd })
    expect(JSON.parse(stdout)).toEqual([
      {
        name: 'one',
        file: 'EVAL.yaml',
        tags: ['x'],
        tests: [
          { id: 'a', file: 'EVAL.yaml', line: 4, criteria: 'Is kind', tags: ['x', 'y'], checks: ['criteria'] },
          {
            id: 'b',
            file: 'more.yaml',
            line: 1,
            criteria: 'Is short',
            description: 'Second',
            tags: ['x'],
            checks: ['contains'],
          },
        ],
      },
    ])
  })

  it('prints diagnostics on stderr and valid suites on stdout, and exits with 2', async () => {
    const broken = folderWith({
      'EVAL.yaml': 'name: [\n',
      'b.eval.yaml': 'name: fine\ntests: [{id: a, criteria: c, input: i}]\n',
    })
    const { code, stdout, stderr } = await assay(['list'], { cwd: broken })
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml:2:1 error yaml-syntax')
    expect(stdout).toContain('fine  1 test')
  })

  it('exits with 5 if no suite is found', async () => {
    expect((await assay(['list'], { cwd: folderWith() })).code).toBe(5)
  })
})
