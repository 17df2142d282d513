import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, assayUnprivileged, folderWith, PROGRAM, run } from '../../support/program.ts'

const MEGABYTE = 1_000_000
const TESTS = 'tests:\n  - {id: a, criteria: Is kind, input: Hi}\n'

/** Runs `assay validate` with a heap that hostile input could fill. */
function validate(cwd: string, args: readonly string[] = ['EVAL.yaml']) {
  return run(process.execPath, ['--max-old-space-size=700', PROGRAM, 'validate', ...args], { cwd })
}

describe('validate handles hostile files without a stack trace', () => {
  const laughs = Array.from(
    { length: 30 },
    (_, level) =>
      `a${level}: &a${level} [${
        level
          ? Array(10)
              .fill(`*a${level - 1}`)
              .join(', ')
          : 'lol'
      }]`,
  ).join('\n')
  const cases: [name: string, content: string | Uint8Array, expected: RegExp][] = [
    ['an alias bomb', `${laughs}\n${TESTS}`, /EVAL\.yaml:\d+:\d+ error unsafe-yaml/],
    ['an alias bomb in metadata', `metadata:\n  x:\n${laughs.replace(/^/gm, '    ')}\n${TESTS}`, /error unsafe-yaml/],
    [
      'depth 20,000',
      `name: a\nmetadata: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n${TESTS}`,
      /EVAL\.yaml:2:\d+ error unsafe-yaml/,
    ],
    ['depth 20,000 in blocks', Array.from({ length: 20_000 }, () => '- ').join(''), /error unsafe-yaml/],
    ['a single line of 50 MB', `name: ${'a'.repeat(50 * MEGABYTE)}\n${TESTS}`, /EVAL\.yaml:1:7 error out-of-range/],
    ['50 MB of invalid YAML', `{${'a'.repeat(50 * MEGABYTE)}`, /EVAL\.yaml:1:\d+ error yaml-syntax/],
    ['NUL bytes', 'name: a\0b\n', /EVAL\.yaml:1:8 error yaml-syntax/],
    [
      'invalid UTF-8',
      Buffer.concat([Buffer.from('name: caf'), Buffer.from([0xe9]), Buffer.from('\n')]),
      /EVAL\.yaml:1:10 error not-utf8/,
    ],
    ['__proto__', `__proto__: {polluted: true}\n${TESTS}`, /EVAL\.yaml:1:1 error unsafe-yaml/],
    ['constructor and prototype as keys', `constructor: {prototype: 1}\n${TESTS}`, /EVAL\.yaml:1:1 error unknown-key/],
    [
      'a string of 10 MB',
      `name: a\ntests:\n  - {id: a, criteria: c, input: ${'x'.repeat(10 * MEGABYTE)}}\n`,
      /No problems/,
    ],
    [
      '100,000 unknown keys',
      `name: a\n${Array.from({ length: 100_000 }, (_, index) => `k${index}: 1\n`).join('')}${TESTS}`,
      /100000 errors/,
    ],
    [
      '20,000 checks of one type',
      `name: a\ntests:\n  - id: a\n    criteria: c\n    input: i\n    assert:\n${'      - {type: contains, value: x}\n'.repeat(20_000)}`,
      /No problems/,
    ],
    ['50,000 empty items', `name: a\ntests:\n${'  -\n'.repeat(50_000)}`, /50000 errors/],
    [
      '50,000 sentences',
      `name: a\ntests:\n  - id: a\n    criteria: c\n    input: i\n    assert:\n${'      - Is kind\n'.repeat(50_000)}`,
      /No problems/,
    ],
    [
      'an image of 300,000 spaces',
      `name: a\ntests:\n  - id: a\n    criteria: c\n    input:\n      - role: user\n        content: [{type: image, value: "${' '.repeat(300_000)}!"}]\n`,
      /error file-/,
    ],
    ['an empty file', '', /EVAL\.yaml:1:1 error wrong-type/],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919 + (index >> 3) * 31) % 256)),
      /EVAL\.yaml:\d+:\d+ error/,
    ],
  ]

  it.each(cases)('%s', async (_, content, expected) => {
    const { code, stdout, stderr } = await validate(folderWith({ 'EVAL.yaml': content }))
    expect(stdout).toMatch(expected)
    expect(stdout.slice(0, 2000)).not.toMatch(/\n {4}at /)
    expect(stderr).toBe('')
    expect(code).toBe(/No problems/.test(expected.source) ? 0 : 2)
    if (!/0000 errors/.test(expected.source)) expect(stdout.length).toBeLessThan(5000)
  })

  it('a provider name of 300,000 letters', async () => {
    const cwd = folderWith({ 'targets.yaml': `targets: [{name: a, provider: ${'x'.repeat(300_000)}}]\n` })
    expect((await validate(cwd, ['targets.yaml'])).stdout).toContain('error unknown-provider')
  })

  it('datasets of 50,000 lines', async () => {
    const line = (index: number) => `{"id": "${index}", "criteria": "c", "input": "i"}\n`
    const lines = Array.from({ length: 50_000 }, (_, index) => line(index)).join('')
    const cwd = folderWith({
      'cases.jsonl': lines,
      'cases.yaml': 'name: c\n',
      'more.jsonl': lines,
      'EVAL.yaml': 'name: d\ntests: [./more.jsonl]\n',
    })
    expect((await validate(cwd, ['cases.jsonl', 'EVAL.yaml'])).stdout).toContain('2 suites with 100000 tests')
    expect((await assay(['list', 'EVAL.yaml'], { cwd })).code).toBe(0)
  })

  it.each([
    ['a line of 50 MB', `{"id": "a", "criteria": "c", "input": "${'x'.repeat(50 * MEGABYTE)}"}\n`, 'No problems'],
    ['a broken line of 50 MB', `{"id": "${'x'.repeat(50 * MEGABYTE)}\n`, 'cases.jsonl:1:8 error json-syntax'],
    ['depth in a line', `{"id": "a", "input": ${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`, 'error unsafe-yaml'],
    [
      '__proto__ in a line',
      '\n{"id": "a", "__proto__": {"x": 1}, "input": "i"}\n',
      'cases.jsonl:2:13 error unsafe-yaml',
    ],
  ])('%s', async (_, content, expected) => {
    const { stdout, stderr } = await validate(folderWith({ 'cases.jsonl': content, 'cases.yaml': 'name: c\n' }), [
      'cases.jsonl',
    ])
    expect(stdout).toContain(expected)
    expect(stderr).toBe('')
    expect(stdout.length).toBeLessThan(5000)
  })
})

describe('the program handles', () => {
  it('a deleted current folder', async () => {
    const cwd = folderWith({ 'gone/x': '' })
    const script = `cd gone && rm -r ../gone && "${process.execPath}" "${PROGRAM}" validate`
    const { code, stderr } = await run('sh', ['-c', script], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('The current folder no longer exists.')
    expect(stderr).not.toContain('    at ')
  })

  it('a full disk', async context => {
    if (!existsSync('/dev/full')) return context.skip('this system has no /dev/full')
    const script = `"${process.execPath}" "${PROGRAM}" schema > /dev/full`
    const { code, stderr } = await run('sh', ['-c', script], { cwd: folderWith() })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^Cannot write the output: .*\n$/)
  })

  it('20,000 errors in one line', async () => {
    const tests = Array.from({ length: 20_000 }, (_, index) => `{"id": "t${index}", "criteria": "c", "inptu": "i"}`)
    const cwd = folderWith({ 'EVAL.yaml': `{"name": "a", "tests": [${tests.join(', ')}]}` })
    expect((await validate(cwd)).stdout).toContain('20000 errors')
  })
})

describe('validate handles unusual paths', () => {
  it('a folder called EVAL.yaml', async () => {
    const cwd = folderWith()
    mkdirSync(join(cwd, 'EVAL.yaml'))
    expect((await validate(cwd)).code).toBe(5)
    expect((await validate(cwd, [])).code).toBe(5)
  })

  it('a folder instead of an imported file', async () => {
    const cwd = folderWith({ 'EVAL.yaml': 'name: a\ntests: [./more]\n', 'more/x': '' })
    const { code, stdout } = await validate(cwd)
    expect(code).toBe(2)
    expect(stdout).toContain('EVAL.yaml:2:9 error file-unreadable')
    expect(stdout).toContain('`./more` is a folder')
  })

  it('a link to itself and cyclic folders', async () => {
    const cwd = folderWith({ 'a/EVAL.yaml': `name: a\n${TESTS}` })
    symlinkSync('EVAL.yaml', join(cwd, 'EVAL.yaml'))
    symlinkSync('..', join(cwd, 'a/up'))
    const named = await validate(cwd)
    expect(named.code).toBe(2)
    expect(named.stdout).toContain('EVAL.yaml:1:1 error file-unreadable')
    expect((await validate(cwd, ['a'])).stdout).toBe('No problems: 1 file checked, 1 suite with 1 test.\n')
  })

  it('a file without read permission', async () => {
    const cwd = folderWith({ 'EVAL.yaml': `name: a\n${TESTS}` })
    chmodSync(join(cwd, 'EVAL.yaml'), 0o000)
    chmodSync(cwd, 0o755)
    const { code, stdout } = await assayUnprivileged(['validate', join(cwd, 'EVAL.yaml')], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('error file-unreadable')
    expect(stdout).toContain('permission denied')
  })

  it('dangling links and line breaks in names', async () => {
    const good = `name: a\n${TESTS}`
    const cwd = folderWith({ 'EVAL.yaml': good, 'new\nline/EVAL.yaml': good, 'dir/EVAL.yaml/x': '' })
    symlinkSync('nowhere', join(cwd, 'dangling.eval.yaml'))
    symlinkSync('/', join(cwd, 'everything'))
    const { code, stdout } = await validate(cwd, ['.'])
    expect(code).toBe(2)
    expect(stdout).toContain('dangling.eval.yaml:1:1 error file-missing')
    expect(stdout).toContain('(2 files checked)')
  })

  it('a folder without read permission', async () => {
    const cwd = folderWith({ 'EVAL.yaml': `name: a\n${TESTS}`, 'secret/EVAL.yaml': 'broken' })
    chmodSync(cwd, 0o755)
    chmodSync(join(cwd, 'secret'), 0o000)
    const { code, stderr } = await assayUnprivileged(['validate', cwd], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('Cannot read secret: permission denied.')
  })

  it('a device', async () => {
    const { code, stdout } = await validate(folderWith(), ['/dev/zero'])
    expect(code).toBe(2)
    expect(stdout).toContain('is not a regular file')
  })

  it('a name that is too long for the system', async () => {
    const cwd = folderWith({ 'EVAL.yaml': `name: a\ntests:\n  - ${'x'.repeat(5000)}.yaml\n` })
    const { code, stdout, stderr } = await validate(cwd)
    expect(code).toBe(2)
    expect(stdout).toContain('EVAL.yaml:3:5 error file-unreadable')
    expect(stderr).toBe('')
  })

  it('names with spaces, quotes, brackets and other scripts', async () => {
    const folder = "a b'c [d] 日本"
    const cwd = folderWith({
      [`${folder}/EVAL.yaml`]: 'name: a\ntests: "./m [1].yaml"\n',
      [`${folder}/m [1].yaml`]: '- {id: a, criteria: c, input: i}\n',
    })
    expect((await validate(cwd, [folder])).stdout).toContain('1 suite with 1 test')
    expect((await assay(['validate'], { cwd })).stdout).toContain('1 suite with 1 test')
  })
})
