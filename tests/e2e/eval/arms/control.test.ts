import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { folderWith } from '../../../support/program.ts'
import { recordsOf, runInfoOf } from '../../../support/runs.ts'

const TARGETS = {
  targets: [
    { name: 'default', provider: 'mock', response: 'hello' },
    { name: 'with', provider: 'mock', response: 'hello' },
    { name: 'without', extends: 'with', response: 'bye' },
  ],
}

const GREETS = { id: 'greets', criteria: 'x', input: 'hi', assert: [{ type: 'contains', value: 'hello' }] }

function project(execution: object, tests: readonly object[] = [GREETS]): string {
  return folderWith({
    '.assay/targets.yaml': JSON.stringify(TARGETS),
    'EVAL.yaml': JSON.stringify({ name: 'arms', execution, tests }),
  })
}

/** The targets of each test, with an asterisk for the control arm. */
async function armsOf(cwd: string, ...args: string[]): Promise<string[]> {
  const { stdout, stderr, code } = await assay(['eval', '--json', ...args], { cwd })
  const lines = stdout.split('\n').filter(line => line !== '')
  if (lines.length === 0) throw new Error(`${code}: ${stderr}`)
  return lines
    .map(line => JSON.parse(line))
    .filter(record => record.test_id !== undefined)
    .sort((a, b) => a.index - b.index)
    .map(({ test_id, target, control }) => `${test_id} ${target}${control ? '*' : ''}`)
}

describe('the control arm of a test', () => {
  it('is marked among its targets', async () => {
    expect(await armsOf(project({ targets: ['without', 'with'], control: 'without' }))).toEqual([
      'greets without*',
      'greets with',
    ])
  })

  it('is added to its targets', async () => {
    expect(await armsOf(project({ target: 'with', control: 'without' }))).toEqual(['greets with', 'greets without*'])
    expect(await armsOf(project({ control: 'without' }))).toEqual(['greets default', 'greets without*'])
  })

  it('may be its own, and `--control` overrides all', async () => {
    const tests = [GREETS, { ...GREETS, id: 'own', execution: { control: 'with' } }]
    const cwd = project({ targets: ['with', 'without'], control: 'without' }, tests)
    expect(await armsOf(cwd)).toEqual(['greets with', 'greets without*', 'own with*', 'own without'])
    expect(await armsOf(cwd, '--control', 'default')).toEqual([
      'greets with',
      'greets without',
      'greets default*',
      'own with',
      'own without',
      'own default*',
    ])
  })

  it('is that of the suite with `--target` only if it is one of several', async () => {
    const cwd = project({ targets: ['with', 'without'], control: 'without' })
    expect(await armsOf(cwd, '--target', 'without')).toEqual(['greets without'])
    expect(await armsOf(cwd, '--target', 'with')).toEqual(['greets with'])
    expect(await armsOf(cwd, '--target', 'default', '--target', 'without')).toEqual([
      'greets default',
      'greets without*',
    ])
    expect(await armsOf(cwd, '--target', 'with', '--control', 'default')).toEqual(['greets with', 'greets default*'])
  })

  it('cannot be the only target', async () => {
    const written = await assay(['eval'], { cwd: project({ targets: ['with'], control: 'with' }) })
    expect(written.code).toBe(2)
    expect(written.stderr).toContain('no-comparison')
    expect(written.stderr).toContain('the control arm `with` is the only target: there is nothing to compare it with')
    const given = await assay(['eval', '--target', 'with', '--control', 'with'], { cwd: project({}) })
    expect(given.code).toBe(2)
    expect(given.stderr).toContain('the control arm `with` is the only target')
  })

  it('must be a target of the file', async () => {
    const { code, stderr } = await assay(['eval'], { cwd: project({ target: 'with', control: 'witout' }) })
    expect(code).toBe(2)
    expect(stderr).toContain('EVAL.yaml:1:55 error unknown-target')
    expect(stderr).toContain('did you mean `without`?')
  })

  it('is shown in the plan and in the list of suites', async () => {
    const cwd = project({ targets: ['with', 'without'], control: 'without' })
    const plan = await assay(['eval', '--plan'], { cwd })
    expect(plan.stdout).toContain('without (control)')
    const data = await assay(['eval', '--plan', '--json'], { cwd })
    expect(JSON.parse(data.stdout).suites.map((suite: { control?: true }) => suite.control)).toEqual([undefined, true])
    expect((await assay(['list'], { cwd })).stdout).toContain('EVAL.yaml  control arm: without')
    expect(JSON.parse((await assay(['list', '--json'], { cwd })).stdout)[0].control).toBe('without')
  })
})

describe('the control arm of a run that is graded again', () => {
  it.each([
    ['a suite', { targets: ['with', 'without'], control: 'without' }, []],
    ['the command line', { target: 'with' }, ['--control', 'without']],
  ])('is that of %s', async (_, execution, args) => {
    const cwd = project(execution)
    await assay(['eval', ...args], { cwd })
    const { code } = await assay(['grade', 'latest'], { cwd })
    const [plain, control] = recordsOf(cwd).sort((a, b) => a.index - b.index)
    expect([code, plain?.control, control?.control]).toEqual([0, undefined, true])
    expect(runInfoOf(cwd).arms).toEqual([{ target: 'with', control: 'without', differs_in: ['response'] }])
  })
})

describe('the control arm of a resumed run', () => {
  it('is that of the run', async () => {
    const cwd = project({ targets: ['with', 'without'] })
    await assay(['eval', '--control', 'without', '--test-id', 'greets'], { cwd })
    const { stdout } = await assay(['report', 'latest', '--format', 'jsonl'], { cwd })
    expect(stdout).toContain('"control":true')
    expect((await assay(['eval', '--resume', '--trials', '2'], { cwd })).stderr).not.toContain('begin a new run')
    const again = await assay(['report', 'latest', '--format', 'jsonl'], { cwd })
    expect(again.stdout.match(/"control":true/g)).toHaveLength(2)
  })

  it('cannot be another one', async () => {
    const cwd = project({ targets: ['with', 'without'] })
    await assay(['eval', '--control', 'without'], { cwd })
    const { code, stderr } = await assay(['eval', '--resume', '--control', 'with'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('with was not the control arm of the run')
  })
})
