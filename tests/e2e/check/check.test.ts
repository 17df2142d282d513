import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cpuTimeOf } from '../../support/cpu-time.ts'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'

const VACUOUS = { type: 'regex', value: '.*' }
const PARIS = { type: 'contains', value: 'Paris' }

function suiteOf(tests: readonly object[], more: object = {}): string {
  const full = tests.map((test, index) => ({ id: `t${index + 1}`, criteria: 'Names it', input: 'Where?', ...test }))
  return JSON.stringify({ name: 'suite', tests: full, ...more })
}

function folderOf(tests: readonly object[], files: Record<string, string> = {}): string {
  return folderWith({ 'EVAL.yaml': suiteOf(tests), ...files })
}

describe('assay check', () => {
  it('prints location, finding and hint, and exits with 0 unless it is strict', async () => {
    const cwd = folderOf([{ assert: [PARIS, VACUOUS] }])
    const { code, stdout } = await assay(['check'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('EVAL.yaml:1:')
    expect(stdout).toContain('warning vacuous-check\n  the check `regex` accepts all ')
    expect(stdout).toContain('hint: ')
    expect(stdout).toContain('0 errors, 1 warning in 1 file (1 test with 2 checks, 2 of them tried)')
    expect((await assay(['check', '--strict'], { cwd })).code).toBe(1)
    expect((await assay(['check', '--max-warnings', '0'], { cwd })).code).toBe(1)
    expect((await assay(['check', '--max-warnings', '1'], { cwd })).code).toBe(0)
  })

  it('exits with 1 if a reference fails, also if it is not strict', async () => {
    const cwd = folderOf([{ expected_output: 'paris', assert: [PARIS] }])
    expect(await assay(['check'], { cwd })).toMatchObject({ code: 1, stdout: expect.stringContaining('broken-test') })
  })

  it('says how much was tried if there are no findings', async () => {
    const { code, stdout } = await assay(['check'], { cwd: folderOf([{ expected_output: 'Paris', assert: [PARIS] }]) })
    expect(code).toBe(0)
    expect(stdout).toContain('No findings: 1 test with 1 check, 1 of them tried.\n')
  })

  it('says that nothing was tried if only models judge', async () => {
    const cwd = folderOf([{ expected_output: 'Paris', assert: [{ type: 'llm_judge' }] }])
    const { code, stdout } = await assay(['check'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('No findings, but no check was tried: 1 test with 1 check.\n')
  })

  it('prints JSON, SARIF and workflow commands as validate does', async () => {
    const cwd = folderOf([{ assert: [VACUOUS] }])
    const { stdout } = await assay(['check', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ errors: 0, warnings: 1, diagnostics: [{ code: 'vacuous-check' }] })
    expect((await assay(['check', '--format', 'sarif'], { cwd })).stdout).toContain('"ruleId": "vacuous-check"')
    expect((await assay(['check', '--format', 'github'], { cwd })).stdout).toMatch(/^::warning file=EVAL.yaml,/)
  })

  it('exits with 2 on suites with errors, and still tries the others', async () => {
    const cwd = folderOf([{ assert: [VACUOUS] }], { 'bad.eval.yaml': 'tests: 7\n' })
    const { code, stdout, stderr } = await assay(['check'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('bad.eval.yaml:1:8 error wrong-type')
    expect(stdout).toContain('vacuous-check')
  })

  it('exits with 5 where there is no suite', async () => {
    expect((await assay(['check'], { cwd: folderWith({}) })).code).toBe(5)
  })

  it('escapes control characters in ids and values', async () => {
    const cwd = folderOf([{ id: 'a\u001b[31m</script>', expected_output: 'no\u0007pe', assert: [PARIS] }])
    const { stdout } = await assay(['check'], { cwd })
    expect(stdout).toContain('broken-test')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be printed
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
  })

  it('tries a suite of 1,000 tests in seconds, and says how many pairs were compared', async () => {
    const tests = Array.from({ length: 1000 }, (_, index) => ({
      expected_output: `City ${index} it is`,
      assert: [
        { type: 'regex', value: `\\bCity ${index}\\b` },
        { type: 'icontains', value: 'city' },
      ],
    }))
    const time = await cpuTimeOf(async () => {
      const { code, stdout } = await assay(['check'], { cwd: folderOf(tests) })
      expect(code).toBe(0)
      expect(stdout).toContain('Compared 60000 of 499500 pairs of tests.')
    })
    expect(time).toBeLessThan(60_000)
  })
})

describe('golden answers', () => {
  it('take the place of an expected output that only describes one', async () => {
    const test = { id: 'a/b', expected_output: 'A text that names the capital', assert: [PARIS] }
    const cwd = folderOf([test])
    expect((await assay(['check'], { cwd })).code).toBe(1)
    const golden = folderOf([test], { '.assay/golden/suite/a%2Fb.md': 'It is Paris.\n' })
    expect(await assay(['check'], { cwd: golden })).toMatchObject({ code: 0 })
  })

  it('must all pass', async () => {
    const files = { '.assay/golden/suite/t1.1.md': 'Paris', '.assay/golden/suite/t1.2.txt': 'London' }
    const { code, stdout } = await assay(['check'], { cwd: folderOf([{ assert: [PARIS] }], files) })
    expect(code).toBe(1)
    expect(stdout).toContain(
      '.assay/golden/suite/t1.2.txt:1:1 error broken-test\n  the test `t1` rejects its golden answer',
    )
    expect(stdout).not.toContain('t1.1.md')
  })
})

describe('programs that judge', () => {
  const judge = (score: number) =>
    `require('fs').writeFileSync('started', ''); console.log(JSON.stringify({ score: ${score} }))`
  const tests = [{ assert: [{ type: 'code_judge', command: ['node', './judge.cjs'] }, PARIS] }]

  it('are not started', async () => {
    const cwd = folderOf(tests, { 'judge.cjs': judge(1) })
    const { stdout } = await assay(['check'], { cwd })
    expect(stdout).toContain('Not tried: 1 check by a program (--programs).')
    expect(existsSync(join(cwd, 'started'))).toBe(false)
  })

  it('are tried with --programs', async () => {
    const { stdout } = await assay(['check', '--programs'], { cwd: folderOf(tests, { 'judge.cjs': judge(1) }) })
    expect(stdout).toContain('warning vacuous-check\n  the check `code_judge` accepts all 9 answers')
  })
})

describe('judges', () => {
  const judge = (responses: readonly object[], more: object = {}) => ({
    '.assay/targets.yaml': JSON.stringify({
      targets: [
        { name: 'default', provider: 'mock', response: 'unused' },
        { name: 'judge', provider: 'mock', responses, ...more },
      ],
    }),
  })
  const answer = (text: string) => `Answer to be judged\\n<<<data-\\w+\\n${text}`
  const good = { pattern: answer('(It is )?Paris'), response: '{"score": 1}', cost_usd: 0.5 }
  const bad = { pattern: '', response: '{"score": 0}', cost_usd: 0.5 }
  const tests = [
    { id: 'paris', expected_output: 'It is Paris', assert: [{ type: 'llm_judge' }] },
    { id: 'rome', expected_output: 'Rome', assert: [{ type: 'contains', value: 'Rome' }] },
  ]

  it('are asked about the reference and what should not pass, after the number of requests is said', async () => {
    const cwd = folderOf(tests, judge([good, bad]))
    const { code, stdout, stderr } = await assay(['check', '--judges', '--strict'], { cwd })
    expect(stderr).toContain('Judges: 5 requests to judge about 1 test, cost unknown: the judge has no `price`.')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('No findings: ') })
    expect(existsSync(join(cwd, '.assay/runs'))).toBe(false)
  })

  it('are not asked without --judges, or with --plan', async () => {
    const fails = judge([{ pattern: 'never this', response: '' }], { price: { input: 10, output: 30 } })
    const cwd = folderOf(tests, fails)
    expect((await assay(['check'], { cwd })).stdout).toContain('Not tried: 1 check by a model (--judges)')
    const { code, stdout, stderr } = await assay(['check', '--judges', '--plan'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^Judges: 5 requests to judge about 1 test, about \$0\.0\d+\.\n$/)
  })

  it('that accept everything, or reject the reference, are found', async () => {
    const lenient = await assay(['check', '--judges'], {
      cwd: folderOf(tests, judge([{ ...bad, response: '{"score": 1}' }])),
    })
    for (const probe of [
      'an empty answer',
      '"I don\'t know."',
      'the opposite of its reference',
      'the reference answer of `rome`',
    ])
      expect(lenient.stdout).toContain(`the test \`paris\` passes with ${probe}, by the judgement of its judges`)
    const strict = await assay(['check', '--judges'], { cwd: folderOf(tests, judge([bad])) })
    expect(strict).toMatchObject({ code: 1, stdout: expect.stringContaining('broken-test') })
  })

  it('that do not answer make the result incomplete', async () => {
    const cwd = folderOf(
      tests,
      judge([{ ...bad, pattern: 'cannot be used', response: 'no JSON' }, { ...good, response: 'no JSON' }, bad]),
    )
    const { code, stderr } = await assay(['check', '--judges'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain("1 answer not judged: llm_judge: the judge's reply cannot be used")
  })

  it('are not asked beyond --max-cost', async () => {
    const many = Array.from({ length: 5 }, (_, index) => ({ ...tests[0], id: `p${index}` }))
    const { code, stderr } = await assay(['check', '--judges', '--max-cost', '1'], {
      cwd: folderOf(many, judge([good, bad])),
    })
    expect(code).toBe(3)
    expect(stderr).toContain('The budget is spent: not all tests were judged.')
  })

  it('that are missing are reported before anything is asked', async () => {
    const cwd = folderOf(tests, { '.assay/targets.yaml': 'targets: [{name: default, provider: mock, response: x}]\n' })
    expect(await assay(['check', '--judges'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no-judge'),
    })
  })
})

describe('recorded runs', () => {
  const TARGETS = (response: string) => JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response }] })

  async function folderWithRuns(responses: readonly string[]): Promise<string> {
    const tests = [
      { id: 'paris', assert: [PARIS] },
      { id: 'again', assert: [{ type: 'icontains', value: 'paris' }] },
      { id: 'rome', assert: [{ type: 'contains', value: 'Rome' }] },
      { id: 'city', assert: [{ type: 'contains', value: 'a' }] },
    ]
    const cwd = folderOf(tests, { '.assay/targets.yaml': '' })
    for (const response of responses) {
      writeFileSync(join(cwd, '.assay/targets.yaml'), TARGETS(response))
      await assay(['eval', '--quiet', '--trials', '2'], { cwd })
    }
    return cwd
  }

  it('show tests that never failed, never passed or always agree', async () => {
    const cwd = await folderWithRuns(['Paris', 'Paris', 'Madrid', 'Paris', 'Madrid'])
    const { code, stdout } = await assay(['check', '--strict'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Never failed in 5 recorded runs: 1 test with 10 or more attempts each (true failure rate ≤ 26 %, 95 % confidence): city.',
    )
    expect(stdout).toContain('Never passed in 5 recorded runs: 1 test: rome.')
    expect(stdout).toContain('Same verdict in all 10 attempts in 5 recorded runs: paris, again.')
    expect((await assay(['check', '--runs', '3'], { cwd })).stdout).not.toContain('Never failed')
    expect((await assay(['check', '--no-runs'], { cwd })).stdout).not.toContain('recorded run')
  })

  it('that are damaged are named, and do not hide the others', async () => {
    const cwd = await folderWithRuns(['Paris', 'Paris', 'Paris'])
    const { readdirSync } = await import('node:fs')
    const [first = ''] = readdirSync(join(cwd, '.assay/runs'))
      .filter(name => /^\d/.test(name))
      .sort()
    writeFileSync(join(cwd, '.assay/runs', first, 'run.json'), '{')
    const { stdout } = await assay(['check'], { cwd })
    expect(stdout).toContain(`Cannot read 1 run: ${first}.`)
    expect(stdout).not.toContain('Never passed')
  })
})

describe('assay validate --deep', () => {
  it('adds the findings and a line about them', async () => {
    const cwd = folderOf([{ assert: [VACUOUS] }])
    expect((await assay(['validate'], { cwd })).stdout).toContain('No problems')
    const { code, stdout } = await assay(['validate', '--deep'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('warning vacuous-check')
    expect(stdout).toContain('\nassay check: 1 finding in 1 test (see `assay check`)\n')
    expect((await assay(['validate', '--deep', '--strict'], { cwd })).code).toBe(2)
    expect(JSON.parse((await assay(['validate', '--deep', '--json'], { cwd })).stdout).warnings).toBe(1)
  })

  it('says that nothing was found', async () => {
    const { stdout } = await assay(['validate', '--deep'], { cwd: folderOf([{ assert: [PARIS] }]) })
    expect(stdout).toMatch(/^No problems: .*\nassay check: 0 findings in 1 test\n$/)
  })

  it('tries a suite from stdin', async () => {
    const input = suiteOf([{ assert: [VACUOUS] }])
    const { stdout } = await assay(['validate', '-', '--deep'], { cwd: folderWith({}), input })
    expect(stdout).toContain('<stdin>:1:')
    expect(stdout).toContain('vacuous-check')
  })
})
