import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const GOOD = 'name: good\ntests:\n  - {id: a, criteria: Is kind, input: Hi}\n'
const WARNED = 'tests:\n  - {id: a, criteria: Is kind, input: Hi}\n'
const BAD = 'name: bad\ntests:\n  - id: a\n    criteria: Is kind\n    inptu: Hi\n'

describe('exit codes of validate', () => {
  it('exits with 0 and the number of checked files if all are valid', async () => {
    const result = await assay(['validate'], { cwd: folderWith({ 'EVAL.yaml': GOOD }) })
    expect(result).toEqual({ code: 0, stdout: 'No problems: 1 file checked, 1 suite with 1 test.\n', stderr: '' })
  })

  it('exits with 2 for an error', async () => {
    const { code, stdout } = await assay(['validate', 'EVAL.yaml'], { cwd: folderWith({ 'EVAL.yaml': BAD }) })
    expect(code).toBe(2)
    expect(stdout).toContain('EVAL.yaml:5:5 error unknown-key')
    expect(stdout).toContain('did you mean `input`?')
    expect(stdout).toContain('1 error, 0 warnings in 1 file (1 file checked)')
  })

  it('exits with 5 and the searched folders if no file is found', async () => {
    const cwd = folderWith({ 'notes.yaml': 'a: 1\n' })
    const { code, stdout, stderr } = await assay(['validate'], { cwd })
    expect(code).toBe(5)
    expect(stdout).toBe('')
    expect(stderr).toContain('EVAL.yaml')
    expect(stderr).toContain(cwd)
  })

  it('exits with 2 for invalid options', async () => {
    const cwd = folderWith()
    for (const args of [
      ['validate', '--fromat', 'json'],
      ['validate', '--format', 'xml'],
      ['valdate'],
      ['validate', '--max-warnings', 'few'],
    ]) {
      const { code, stdout, stderr } = await assay(args, { cwd })
      expect([args, code, stdout]).toEqual([args, 2, ''])
      expect(stderr).toMatch(/error: /)
    }
  })

  it('exits with 2 for a missing file', async () => {
    const { code, stdout } = await assay(['validate', 'missing.yaml'], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stdout).toContain('missing.yaml:1:1 error file-missing')
  })

  it('exits with 0 for warnings, unless --strict or --max-warnings is given', async () => {
    const cwd = folderWith({ 'EVAL.yaml': WARNED, 'b.eval.yaml': WARNED })
    expect((await assay(['validate'], { cwd })).code).toBe(0)
    expect((await assay(['validate', '--max-warnings', '2'], { cwd })).code).toBe(0)
    expect((await assay(['validate', '--max-warnings', '1'], { cwd })).code).toBe(2)
    const strict = await assay(['validate', '--strict'], { cwd })
    expect(strict.code).toBe(2)
    expect(strict.stdout).toContain('2 errors, 0 warnings')
  })
})

describe('files that validate checks', () => {
  it('include suites below a folder, but not in node_modules or dot-folders', async () => {
    const cwd = folderWith({
      'EVAL.yaml': GOOD,
      'deep/er/EVAL.yml': GOOD,
      'deep/x.eval.yaml': GOOD,
      'deep/y.eval.yml': GOOD,
      'other.yaml': BAD,
      'node_modules/p/EVAL.yaml': BAD,
      '.hidden/EVAL.yaml': BAD,
    })
    expect((await assay(['validate', '.'], { cwd })).stdout).toBe(
      'No problems: 4 files checked, 4 suites with 4 tests.\n',
    )
  })

  it('include files of globs and several arguments, each once', async () => {
    const cwd = folderWith({ 'a/EVAL.yaml': GOOD, 'b/EVAL.yaml': GOOD })
    const { stdout } = await assay(['validate', '*/EVAL.yaml', 'a', 'a/EVAL.yaml'], { cwd })
    expect(stdout).toBe('No problems: 2 files checked, 2 suites with 2 tests.\n')
  })
  it('include targets files, also in .assay, and datasets', async () => {
    const cwd = folderWith({
      'EVAL.yaml': GOOD,
      '.assay/targets.yaml': 'targets:\n  - {name: a, provider: mok, response: x}\n',
      'cases.jsonl': '{"id": "a", "criteria": "Is kind", "input": "Hi"}\n',
      'cases.yaml': 'name: cases\n',
    })
    const { stdout } = await assay(['validate', '.', 'cases.jsonl'], { cwd })
    expect(stdout).toContain('.assay/targets.yaml:2:25 error unknown-provider')
    expect(stdout).toContain('did you mean `mock`?')
    expect(stdout).toContain('(4 files checked)')
  })

  it('include a dataset once, whether named or found', async () => {
    const cwd = folderWith({
      'cases.jsonl': '{"id": "a", "criteria": "Is kind", "input": "Hi"}\n',
      'cases.eval.yaml': 'name: cases\n',
    })
    for (const args of [['cases.jsonl'], ['cases.eval.yaml'], ['.']]) {
      const { stdout } = await assay(['validate', ...args], { cwd })
      expect(stdout).toBe('No problems: 2 files checked, 1 suite with 1 test.\n')
    }
  })
})

describe('validate --format', () => {
  const cwd = folderWith({ 'sub, dir/EVAL.yaml': BAD })

  it('json lists diagnostics with locations', async () => {
    const { code, stdout } = await assay(['validate', '--format', 'json'], { cwd })
    expect(code).toBe(2)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({ errors: 1, warnings: 0 })
    expect(report.diagnostics[0]).toEqual({
      code: 'unknown-key',
      severity: 'error',
      file: join('sub, dir', 'EVAL.yaml'),
      line: 5,
      column: 5,
      length: 5,
      message: 'unknown key `inptu`',
      hint: 'did you mean `input`?',
    })
    expect((await assay(['validate', '--json'], { cwd })).stdout).toBe(stdout)
  })

  it('sarif has a rule and a region for each diagnostic', async () => {
    const { stdout } = await assay(['validate', '--format', 'sarif'], { cwd })
    const log = JSON.parse(stdout)
    expect(log.version).toBe('2.1.0')
    const [run] = log.runs
    expect(run.results[0]).toMatchObject({
      ruleId: 'unknown-key',
      level: 'error',
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'sub%2C%20dir/EVAL.yaml' },
            region: { startLine: 5, startColumn: 5, endColumn: 10 },
          },
        },
      ],
    })
    expect(run.tool.driver.rules[run.results[0].ruleIndex].id).toBe('unknown-key')
  })

  it('github escapes properties of annotations', async () => {
    const { stdout } = await assay(['validate', '--format', 'github'], { cwd })
    expect(stdout).toContain(
      '::error file=sub%2C dir/EVAL.yaml,line=5,col=5,endColumn=10,title=unknown-key::unknown key `inptu`%0Ahint: ',
    )
  })
})

it('shows ten of a thousand equal warnings, and their number', async () => {
  const tests = Array.from(
    { length: 1000 },
    (_, index) => `{"id": "t${index}", "input": "Hi", "assert": ["Is kind"]}\n`,
  ).join('')
  const { code, stdout } = await assay(['validate', 'cases.jsonl'], {
    cwd: folderWith({ 'cases.jsonl': tests, 'cases.yaml': 'name: c\n' }),
  })
  expect(code).toBe(0)
  expect(stdout.match(/warning no-criteria/g)).toHaveLength(10)
  expect(stdout).toContain('and 990 more no-criteria warnings (--format json shows all)')
  expect(stdout).toContain('0 errors, 1000 warnings in 1 file')
})

it('escapes control characters from files', async () => {
  const cwd = folderWith({
    'EVAL.yaml': 'name: a\n"\\e[31mred\\e[0m\\u202e": 1\ntests: [{id: a, criteria: c, input: i}]\n',
  })
  const { stdout } = await assay(['validate'], { cwd })
  expect(stdout).toContain('unknown key')
  expect(stdout.includes('\u001b') || stdout.includes('\u202e')).toBe(false)
})
