import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const CONFIG = `description: Greets people
prompts:
  - 'Say hello to {{ name }} in {{language}}.'
providers:
  - id: echo
    label: echo
  - id: openai:chat:gpt-5-mini
    config:
      temperature: 0.2
      apiKey: sk-live-0123456789abcdef0123
      seed: 7
defaultTest:
  assert:
    - type: icontains
      value: '{{name}}'
tests:
  - description: Greets Alice
    vars: { name: Alice, language: English }
    assert:
      - type: contains-all
        value: [hello, English]
      - type: javascript
        value: output.includes(context.vars.name)
      - type: not-contains
        value: Bob
  - vars: { name: [Bob, Carol], language: French }
    assert:
      - type: javascript
        value: 'output.length > 1000'
      - type: is-sql
  - vars: { name: Dave, language: German }
    threshold: 0.4
    assert:
      - type: assert-set
        threshold: 0.5
        assert:
          - type: equals
            value: hello
          - type: starts-with
            value: Say
`

function projectWith(files: Readonly<Record<string, string>>): string {
  return folderWith({ 'package.json': '{}', ...files })
}

/** A list of ten times the list of the letter before. */
function bombLine(letter: string): string {
  const before = letter === 'a' ? 'x' : `*${String.fromCharCode(letter.charCodeAt(0) - 1)}`
  return `${letter}: &${letter} [${Array(10).fill(before).join(', ')}]\n`
}

async function imported(files: Readonly<Record<string, string>>, ...args: string[]) {
  const cwd = projectWith(files)
  const result = await assay(['import', 'promptfooconfig.yaml', ...args], { cwd })
  const read = (name: string) => load(readFileSync(join(cwd, name), 'utf8')) as Record<string, unknown>
  return { cwd, ...result, read }
}

describe('assay import of a promptfoo configuration', () => {
  it('writes a suite with variables, targets and judges that loads and gives the verdicts of promptfoo', async () => {
    const { cwd, code, stdout, read } = await imported({ 'promptfooconfig.yaml': CONFIG })
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('2 tests carried over, 2 approximated, 0 left out')
    expect((await assay(['validate'], { cwd })).code).toBe(0)
    const { code: failed } = await assay(['eval', '--target', 'echo', '-o', 'results.jsonl'], { cwd })
    expect(failed).toBe(1)
    const verdicts = readFileSync(join(cwd, 'results.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(Object.fromEntries(verdicts.map(({ test_id, verdict }) => [test_id, verdict]))).toEqual({
      'greets-alice': 'pass',
      'test-2': 'fail',
      'test-2-2': 'fail',
      'test-3': 'pass',
    })
    const suite = read('EVAL.yaml') as { tests: { vars: unknown; input: string }[] }
    expect(suite.tests[0]).toMatchObject({
      vars: { name: 'Alice', language: 'English' },
      input: expect.stringContaining('{{ name }}'),
    })
  })

  it('never copies a secret, and names the variable to set', async () => {
    const { cwd, stdout } = await imported({ 'promptfooconfig.yaml': CONFIG })
    for (const file of ['EVAL.yaml', '.assay/targets.yaml'])
      expect(readFileSync(join(cwd, file), 'utf8')).not.toContain('sk-live')
    expect(readFileSync(join(cwd, '.assay/targets.yaml'), 'utf8')).toContain('${{ OPENAI_CHAT_GPT_5_MINI_API_KEY }}')
    expect(stdout).toContain('promptfooconfig.yaml:10:15')
    expect(stdout).not.toContain('sk-live')
  })

  it('reports each loss once, with its places', async () => {
    const { stdout } = await imported({ 'promptfooconfig.yaml': CONFIG })
    expect(stdout).toContain(
      'left out: the assertion `is-sql`, which Assay does not have\n    promptfooconfig.yaml:30:9\n',
    )
    expect(stdout).toContain('left out: the setting `seed` of a provider')
  })

  it('skips a test that has lost all its checks, so that it cannot pass', async () => {
    const text = 'prompts: [Hi]\nproviders: [echo]\ntests:\n  - assert: [{ type: is-sql }]\n'
    const { cwd, stdout, read } = await imported({ 'promptfooconfig.yaml': text })
    expect(stdout).toContain('0 tests carried over, 0 approximated, 1 left out')
    expect(read('EVAL.yaml')).toMatchObject({ tests: [{ execution: { skip: expect.any(String) } }] })
    expect((await assay(['eval'], { cwd })).stderr).toContain('skipped')
  })

  it('reads tests from CSV, with what is expected in columns', async () => {
    const text = 'prompts: ["{{q}}"]\nproviders: [echo]\ntests: file://tests.csv\n'
    const csv =
      'q,__expected1,__expected2,__description\n"one, two",contains: one,"javascript: output.length < 3",first\nthree,three,,\n'
    const { cwd, stdout } = await imported({ 'promptfooconfig.yaml': text, 'tests.csv': csv })
    expect(stdout).toContain('2 tests carried over')
    const { stdout: report } = await assay(['eval', '--json'], { cwd })
    const results = report
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
      .filter(({ test_id }) => test_id)
    expect(Object.fromEntries(results.map(({ test_id, verdict }) => [test_id, verdict]))).toEqual({
      first: 'fail',
      'test-2': 'pass',
    })
  })

  it('does not read files outside of the project', async () => {
    const text = 'prompts: [file://../../../../../../etc/passwd, Hi]\nproviders: [echo]\ntests:\n  - vars: {}\n'
    const { cwd, stdout } = await imported({ 'promptfooconfig.yaml': text })
    expect(stdout).toContain('the file of a prompt is outside of the project')
    expect(readFileSync(join(cwd, 'EVAL.yaml'), 'utf8')).not.toContain('root:')
  })

  it('does not overwrite files without --force, and writes nothing then', async () => {
    const files = { 'promptfooconfig.yaml': CONFIG, 'EVAL.yaml': 'mine\n' }
    const { cwd, code, stderr } = await imported(files)
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml already exists. Nothing was written.')
    expect(existsSync(join(cwd, '.assay'))).toBe(false)
    expect((await assay(['import', 'promptfooconfig.yaml', '--force'], { cwd })).code).toBe(0)
    expect((await assay(['import', 'promptfooconfig.yaml'], { cwd })).stdout).toContain('unchanged EVAL.yaml')
  })

  it('prints targets for a targets file of the user instead of changing it', async () => {
    const own = 'targets:\n  - name: mine\n    provider: cli\n    command: [cat]\n'
    const { cwd, stderr, code } = await imported({ 'promptfooconfig.yaml': CONFIG, '.assay/targets.yaml': own })
    expect(code).toBe(0)
    expect(stderr).toContain(
      '.assay/targets.yaml exists and was not changed. Add to its targets:\ntargets:\n  - name: echo',
    )
    expect(readFileSync(join(cwd, '.assay/targets.yaml'), 'utf8')).toBe(own)
  })

  it('writes nothing with --dry-run, and with --strict if something is lost', async () => {
    const dry = await imported({ 'promptfooconfig.yaml': CONFIG }, '--dry-run')
    expect(dry.stdout).toContain('would write EVAL.yaml')
    expect(existsSync(join(dry.cwd, 'EVAL.yaml'))).toBe(false)
    const strict = await imported({ 'promptfooconfig.yaml': CONFIG }, '--strict')
    expect([strict.code, existsSync(join(strict.cwd, 'EVAL.yaml'))]).toEqual([2, false])
  })

  it.each([
    ['an alias bomb', `${'abcdefghij'.replaceAll(/./g, letter => bombLine(letter))}prompts: [*j]\nproviders: [echo]\n`],
    ['text that is not YAML', 'prompts: [a\ntests: }'],
    ['no mapping', '[1, 2]'],
  ])('refuses %s with a message', async (_, text) => {
    const { code, stderr } = await imported({ 'promptfooconfig.yaml': text })
    expect(code).toBe(2)
    expect(stderr).toContain('promptfooconfig.yaml')
  })

  it('refuses bytes that are not UTF-8, and configurations that are programs', async () => {
    const cwd = projectWith({ 'promptfooconfig.js': 'module.exports = {}' })
    const { writeFileSync } = await import('node:fs')
    writeFileSync(join(cwd, 'promptfooconfig.yaml'), Buffer.from([0x70, 0xff, 0xfe, 0x0a]))
    expect((await assay(['import', 'promptfooconfig.yaml'], { cwd })).stderr).toContain('is not UTF-8')
    expect((await assay(['import', 'promptfooconfig.js'], { cwd })).stderr).toContain('is a program, which is not run')
  })
})
