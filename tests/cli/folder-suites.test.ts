import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../support/in-process.ts'
import { folderWith } from '../support/program.ts'

const TARGETS = JSON.stringify({ targets: [{ name: 'default', provider: 'mock', response: 'yes' }] })
const SUITE = JSON.stringify({
  name: 'greeting',
  metadata: { skill: 'greeter' },
  tests: [
    { id: 'hello', input: 'Say yes', assert: [{ type: 'contains', value: 'yes' }] },
    { id: 'bye', input: 'Say yes again', assert: [{ type: 'contains', value: 'yes' }] },
  ],
})
const EVALS = { skill_name: 'greeter', evals: [{ id: 1, prompt: 'Say it', expectations: ["Output contains 'yes'"] }] }
const LINE = '{"id": "line", "criteria": "Says yes", "input": "Say yes"}\n'
const SIDECAR = 'name: lines\nassert: [{type: contains, value: "yes"}]\n'

async function testsIn(files: Record<string, string>, args: readonly string[] = ['.']) {
  const cwd = folderWith({ '.assay/targets.yaml': TARGETS, ...files })
  const { stdout, stderr, code } = await assay(['eval', '--json', ...args], { cwd })
  const results = stdout.trim().split('\n').filter(Boolean)
  const ids = results.map(line => JSON.parse(line)).map(({ suite, test_id }) => `${suite} ${test_id}`)
  return { cwd, code, stderr, ids: ids.sort() }
}

describe('a folder run', () => {
  it('finds a dataset by its sidecar', async () => {
    const { code, ids } = await testsIn({ 'data/cases.jsonl': LINE, 'data/cases.yaml': SIDECAR })
    expect({ code, ids }).toEqual({ code: 0, ids: ['lines line'] })
  })

  it.each([
    ['without a sidecar', { 'cases.jsonl': LINE }],
    ['with a list beside it', { 'cases.jsonl': LINE, 'cases.yaml': '- id: one\n' }],
    ['with a suite of other tests beside it', { 'cases.jsonl': LINE, 'cases.yaml': SUITE }],
    ['of something else', { 'run.jsonl': '{"step": 1, "loss": 2}\n', 'run.yaml': 'name: run\nepochs: 3\n' }],
  ])('ignores a .jsonl %s', async (_, files) => {
    const { code, stderr } = await testsIn(files)
    expect(code).toBe(5)
    expect(stderr).toContain(
      '*.jsonl with a sidecar, evals.json, *.evals.json, trigger-evals.json, *.trigger-evals.json, eval_queries.json, evals/*/prompt.md in ',
    )
  })

  it('reports the diagnostics of a dataset with an invalid sidecar', async () => {
    const { code, stderr } = await testsIn({ 'cases.jsonl': LINE, 'cases.yaml': 'name: x\nassert: [\n' })
    expect(code).toBe(2)
    expect(stderr).toContain('cases.yaml:')
  })

  it('does not block on a named pipe with the name of a dataset', async () => {
    const cwd = folderWith({ 'data/run.yaml': 'name: run\nepochs: 3\n' })
    execFileSync('mkfifo', [join(cwd, 'data/run.jsonl')])
    expect((await assay(['list'], { cwd })).code).toBe(5)
  })

  it('reports a misspelt key in the sidecar of a dataset', async () => {
    const { code, stderr } = await testsIn({ 'cases.jsonl': LINE, 'cases.yaml': 'name: lines\nasert: []\n' })
    expect(code).toBe(2)
    expect(stderr).toContain('did you mean `assert`?')
  })

  it('finds suites that end in .EVAL.yaml', async () => {
    const { code, ids } = await testsIn({ 'a/greeting.EVAL.yaml': SUITE })
    expect({ code, ids }).toEqual({ code: 0, ids: ['greeting bye', 'greeting hello'] })
  })

  it('finds evals.json', async () => {
    const { code, ids } = await testsIn({ 'skill/evals/evals.json': JSON.stringify(EVALS) })
    expect({ code, ids }).toEqual({ code: 0, ids: ['greeter 1'] })
  })

  it('runs an evals.json beside a suite with other tests', async () => {
    const files = { 'evals/evals.json': JSON.stringify(EVALS), 'evals/EVAL.yaml': SUITE }
    expect((await testsIn(files)).ids).toEqual(['greeter 1', 'greeting bye', 'greeting hello'])
  })
})

describe('an evals.json transpiled from a suite', () => {
  async function transpiled(outDir: string, changed = SUITE) {
    const cwd = folderWith({ '.assay/targets.yaml': TARGETS, 'skill/EVAL.yaml': SUITE })
    expect(await assay(['transpile', 'skill/EVAL.yaml', '--out-dir', outDir], { cwd })).toMatchObject({ code: 0 })
    folderWith({ 'skill/EVAL.yaml': changed }, cwd)
    return cwd
  }

  it.each(['skill', 'skill/evals'])('is skipped in a folder run, with a message (in %s)', async outDir => {
    const cwd = await transpiled(outDir)
    const { code, stdout, stderr } = await assay(['eval', '--json'], { cwd })
    expect(code).toBe(0)
    expect(stdout.trim().split('\n')).toHaveLength(2)
    const message = `Skipped ${outDir}/evals.json: skill/EVAL.yaml has the same tests. Name the file to run it too.\n`
    expect(stderr).toContain(message)
    const listed = await assay(['list'], { cwd })
    expect(listed).toMatchObject({ code: 0, stderr: message })
    expect(listed.stdout).not.toContain('evals.json')
  })

  it('is skipped even if the prompts of the suite changed', async () => {
    const cwd = await transpiled('skill', SUITE.replace('Say yes again', 'Please say yes'))
    const { stdout } = await assay(['eval', '--json'], { cwd })
    expect(stdout.trim().split('\n')).toHaveLength(2)
  })

  it('is run with the suite if both are named', async () => {
    const cwd = await transpiled('skill')
    const { stdout } = await assay(['eval', '--json', 'skill/EVAL.yaml', 'skill/evals.json'], { cwd })
    expect(stdout.trim().split('\n')).toHaveLength(4)
  })

  it('is validated with the folder', async () => {
    const cwd = await transpiled('skill')
    folderWith({ 'skill/evals.json': '{"evals": []}' }, cwd)
    const { code, stdout } = await assay(['validate'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toContain('skill/evals.json:1:11 error out-of-range')
  })

  it('is not a second source when the folder is transpiled', async () => {
    const cwd = await transpiled('skill')
    const { code, stdout } = await assay(['transpile', 'skill', '--check'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  })

  it('is named in the message if the folder has no other file to transpile', async () => {
    const cwd = folderWith({ 'evals/evals.json': JSON.stringify(EVALS) })
    const { code, stderr } = await assay(['transpile', 'evals'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: 'No suite in YAML found in evals: name one, or convert an evals.json with --from.\n',
    })
  })
})
