import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { assay, folderWith } from '../../support/program.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe('init', () => {
  it('writes a suite that validates, with targets and the line for editors', async () => {
    const cwd = folderWith()
    const { code, stdout } = await assay(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('wrote EVAL.yaml')
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/\.assay\/schema\/eval\.schema\.json\n/,
    )
    const { $comment, ...schema } = JSON.parse(readFileSync(join(cwd, '.assay/schema/targets.schema.json'), 'utf8'))
    expect($comment).toMatch(/^Written by assay /)
    expect(schema).toEqual(JSON.parse(readFileSync(join(ROOT, 'schema/targets.schema.json'), 'utf8')))
    const checked = await assay(['validate', '--strict'], { cwd })
    expect(checked).toMatchObject({ code: 0, stdout: 'No mistakes: 2 files checked, 1 suite with 2 tests.\n' })
  })

  it('never writes over a file', async () => {
    const cwd = folderWith({ 'EVAL.yaml': 'mine\n' })
    const { code, stdout } = await assay(['init'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('kept  EVAL.yaml (already exists)')
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).toBe('mine\n')
    const again = JSON.parse((await assay(['init', '--json'], { cwd })).stdout)
    expect(again.written).toEqual([])
    expect(again.kept).toHaveLength(5)
  })

  it('makes the folder, and says what stands in its way', async () => {
    const cwd = folderWith({ file: '' })
    expect((await assay(['init', 'new/evals'], { cwd })).code).toBe(0)
    const { code, stderr } = await assay(['init', 'file'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Cannot write file')
  })
})

describe('list', () => {
  const cwd = folderWith({
    'EVAL.yaml':
      'name: one\nmetadata: {tags: [x]}\ntests:\n  - {id: a, criteria: Is kind, input: Hi, metadata: {tags: [y]}}\n  - ./more.yaml\n',
    'more.yaml':
      '- id: b\n  description: Second\n  criteria: Is short\n  input: Hi\n  assert:\n    - {type: contains, value: x}\n',
  })

  it('shows suites and tests with their places', async () => {
    const { code, stdout } = await assay(['list'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toBe('one  2 tests  EVAL.yaml\n  a  Is kind  (EVAL.yaml:4)\n  b  Second  (more.yaml:1)\n')
  })

  it('as JSON', async () => {
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

  it('shows mistakes on stderr, what could be read on stdout, and exits 2', async () => {
    const broken = folderWith({
      'EVAL.yaml': 'name: [\n',
      'b.eval.yaml': 'name: fine\ntests: [{id: a, criteria: c, input: i}]\n',
    })
    const { code, stdout, stderr } = await assay(['list'], { cwd: broken })
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml:2:1 error yaml-syntax')
    expect(stdout).toContain('fine  1 test')
  })

  it('exits 5 when nothing is there', async () => {
    expect((await assay(['list'], { cwd: folderWith() })).code).toBe(5)
  })
})

describe('schema', () => {
  it.each([
    [['schema'], 'eval'],
    [['schema', 'eval'], 'eval'],
    [['schema', 'targets'], 'targets'],
    [['schema', 'config'], 'config'],
    [['schema', 'answer'], 'answer'],
  ])('%j prints the committed file', async (args, name) => {
    const { code, stdout } = await assay(args, { cwd: folderWith() })
    expect(code).toBe(0)
    expect(stdout).toBe(readFileSync(join(ROOT, `schema/${name}.schema.json`), 'utf8'))
  })

  it('says which there are', async () => {
    const { code, stderr } = await assay(['schema', 'suite'], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toContain('eval, targets')
  })
})

describe('help', () => {
  it('--version', async () => {
    for (const flag of ['--version', '-V']) {
      expect(await assay([flag], { cwd: folderWith() })).toEqual({
        code: 0,
        stdout: `${manifest.version}\n`,
        stderr: '',
      })
    }
  })

  it.each([[], ['validate'], ['list'], ['report'], ['schema'], ['init'], ['targets']])(
    'of %j has an example',
    async (...command) => {
      const { code, stdout } = await assay([...command, '--help'], { cwd: folderWith() })
      expect(code).toBe(0)
      expect(stdout).toMatch(/Examples:\n {2}\$ assay /)
    },
  )

  it('is printed when there is no command', async () => {
    const { code, stderr } = await assay([], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toContain('Usage: assay')
  })
})
