import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const TARGETS = JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'yes' }] })
const EVALS = { skill_name: 'greeter', evals: [{ id: 1, prompt: 'Say yes' }] }

describe('a test without checks and criteria', () => {
  const suite = 'name: greeting\nmetadata: {skill: greeter}\ntests:\n  - id: hello\n    input: Say yes\n'

  it('is a warning when the suite is transpiled', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite })
    const { code, stderr } = await assay(['transpile', 'EVAL.yaml'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('EVAL.yaml:4:5 warning nothing-grades')
    expect(stderr).toContain('hint: add `criteria`, `rubrics` or `assert`')
    const { evals } = JSON.parse(readFileSync(join(cwd, 'evals.json'), 'utf8'))
    expect(evals).toEqual([{ id: 1, prompt: 'Say yes', assertions: [], expectations: [], source_id: 'hello' }])
  })

  it('is an error when the suite is transpiled with --strict', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite })
    const { code, stderr } = await assay(['transpile', 'EVAL.yaml', '--strict'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml:4:5 error nothing-grades')
  })

  it('is an error when the suite is validated or run', async () => {
    const cwd = folderWith({ 'EVAL.yaml': suite, '.assay/targets.yaml': TARGETS })
    expect((await assay(['validate'], { cwd })).code).toBe(2)
    expect((await assay(['eval'], { cwd })).code).toBe(2)
  })

  it('is a warning in evals.json, with its own hint', async () => {
    const cwd = folderWith({ 'evals.json': JSON.stringify(EVALS, null, 2) })
    const { code, stdout } = await assay(['validate', 'evals.json'], { cwd })
    expect(code).toBe(0)
    expect(stdout).toContain('evals.json:4:5 warning nothing-grades')
    expect(stdout).toContain('hint: add `expectations` (also called `assertions`) or an `expected_output`')
    const back = await assay(['transpile', '--from', 'evals.json'], { cwd })
    expect(back).toMatchObject({ code: 0, stdout: expect.stringContaining('input: Say yes') })
  })

  it('never passes: its answer is recorded with an error, and graded once criteria exist', async () => {
    const cwd = folderWith({ 'evals.json': JSON.stringify(EVALS), '.assay/targets.yaml': TARGETS })
    const { code, stdout } = await assay(['eval', 'evals.json', '--json'], { cwd })
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      answer: 'yes',
      score: null,
      verdict: 'error',
      error: { code: 'nothing-grades', stage: 'grade', message: 'nothing can grade this test' },
    })
    const evals = [{ ...EVALS.evals[0], expectations: ["Output contains 'yes'"] }]
    folderWith({ 'evals.json': JSON.stringify({ ...EVALS, evals }) }, cwd)
    const graded = await assay(['grade', 'latest', '--json'], { cwd })
    expect(graded.code).toBe(0)
    expect(JSON.parse(graded.stdout)).toMatchObject({ answer: 'yes', verdict: 'pass' })
  })

  it('is shown with its reason on the terminal', async () => {
    const cwd = folderWith({ 'evals.json': JSON.stringify(EVALS), '.assay/targets.yaml': TARGETS })
    const { stderr } = await assay(['eval', 'evals.json', '--quiet'], { cwd })
    expect(stderr).toContain(
      '\nerror 1 on default evals.json:1\n  nothing-grades: nothing can grade this test\n  answer: yes\n',
    )
  })

  it('fails even a gate that allows failures', async () => {
    const evals = [...EVALS.evals, { id: 2, prompt: 'Say yes too', expectations: ["Output contains 'yes'"] }]
    const cwd = folderWith({ 'evals.json': JSON.stringify({ ...EVALS, evals }), '.assay/targets.yaml': TARGETS })
    expect((await assay(['eval', 'evals.json', '--min-pass-rate', '0.1'], { cwd })).code).toBe(3)
  })
})
