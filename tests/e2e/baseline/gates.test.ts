import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  BASELINE_FILE,
  callsIn,
  type GitProject,
  madeIn,
  projectIn,
  SUITE_FILE,
  supportProject,
  withBaseline,
} from '../../support/git-project.ts'
import { folderWith } from '../../support/program.ts'
import { serve } from '../../support/servers/server.ts'

const TARGETS = '.assay/targets.yaml'
let main: GitProject

beforeAll(async () => {
  main = await withBaseline(supportProject())
})

function copy(): GitProject {
  const folder = folderWith()
  cpSync(main.cwd, folder, { recursive: true })
  return projectIn(folder)
}

/** The agent gives another answer to everything. */
const breakAgent = (project: GitProject) => project.edit('agent/rules.sh', 'Hello', 'Goodbye')

describe('eval --against', () => {
  it.each<[gates: readonly string[], change: (project: GitProject) => void, code: number, text: string]>([
    [[], () => {}, 1, 'Did it change?'],
    [['--fail-on-new-failures'], () => {}, 0, 'quality gate passed'],
    [['--fail-on-regression'], () => {}, 0, 'quality gate passed'],
    [['--require-better'], () => {}, 4, 'quality gate cannot pass (inconclusive)'],
    [['--fail-on-new-failures'], breakAgent, 1, '3 new failures'],
    [['--fail-on-new-failures', '--fail-on', 'fail'], () => {}, 1, '2 of 12 tests failed'],
    [['--fail-on-regression', '--min-pass-rate', '0.9'], () => {}, 1, 'pass rate'],
  ])('ends with the exit code of its gates: %s', async (gates, change, code, text) => {
    const project = copy()
    change(project)
    const ended = await project.assay('eval', '--against', 'main', ...gates)
    expect(ended.stderr).toContain(text)
    expect(ended.code).toBe(code)
  })

  it('asks nothing where the baseline is missing', async () => {
    const project = copy()
    rmSync(join(project.cwd, BASELINE_FILE))
    const calls = callsIn(project)
    for (const options of [['--against', 'main'], ['--affected'], ['--against', 'nightly', '--fail-on-regression']]) {
      const { code, stderr } = await project.assay('eval', ...options)
      expect(code).toBe(2)
      expect(stderr).toContain('assay baseline save')
    }
    expect(callsIn(project)).toBe(calls)
  })

  it.each([
    ['of another format', (text: string) => text.replace('"assay_baseline": 1', '"assay_baseline": 2')],
    ['cut off', (text: string) => text.slice(0, text.length / 2)],
    ['with an impossible result', (text: string) => text.replace('"passed":1', '"passed":7')],
    ['with an unknown field', (text: string) => text.replace('"passed":1', '"passed":1,"more":1')],
    ['that is empty', () => ''],
  ])('asks nothing where the baseline is %s', async (_, damage) => {
    const project = copy()
    project.write(BASELINE_FILE, damage(project.read(BASELINE_FILE)))
    const calls = callsIn(project)
    for (const options of [['--against', 'main'], ['--affected'], ['--against', BASELINE_FILE]]) {
      const { code, stderr } = await project.assay('eval', ...options)
      expect(code).toBe(2)
      expect(stderr).toContain(BASELINE_FILE)
    }
    expect(callsIn(project)).toBe(calls)
  })

  it('says that a run has other targets or other suites than the baseline', async () => {
    const project = copy()
    const one = await project.assay('eval', '--target', 'quick', '--against', 'main', '--fail-on-new-failures')
    expect(one.stderr).toContain('not compared: careful of main')
    expect(one.code).toBe(0)
    mkdirSync(join(project.cwd, 'more'))
    project.write('more/EVAL.yaml', project.read(SUITE_FILE).replace('name: support', 'name: more'))
    cpSync(join(project.cwd, 'suites/support'), join(project.cwd, 'more'), { recursive: true, force: false })
    const other = await project.assay('eval', 'more', '--against', 'main', '--fail-on-new-failures')
    expect(other.stderr).toContain('main has 12 results of suites that were not run')
    expect(other.code).toBe(5)
  })

  it('compares only the tests that --test-id selects, and names the filter', async () => {
    const project = copy()
    const { code, stderr } = await project.assay(
      ...['eval', '--test-id', 'greets', '--against', 'main', '--fail-on-new-failures'],
    )
    expect(stderr).toContain('1 test compared')
    expect(stderr).toContain('partial run')
    expect(code).toBe(0)
  })

  it('has no common target with the baseline, and asks nothing', async () => {
    const project = copy()
    project.edit(TARGETS, '  - name: grader', '  - {name: bold, extends: quick}\n  - name: grader')
    const calls = callsIn(project)
    const { code, stderr } = await project.assay('eval', '--target', 'bold', '--against', 'main')
    expect(code).toBe(2)
    expect(stderr).toContain('main has no result of bold: nothing can be compared.')
    expect(callsIn(project)).toBe(calls)
  })
})

describe('a baseline that was saved from the run', () => {
  it('is never a pass', async () => {
    const project = copy()
    breakAgent(project)
    await project.assay('eval')
    await project.assay('baseline', 'save')
    const { code, stdout } = await project.assay('compare', 'main', 'latest', '--fail-on-regression')
    expect(stdout).toContain('was saved from this run')
    expect(code).toBe(2)
  })

  it('is never a pass if only some of its results come from the run', async () => {
    const project = copy()
    // The lines of equal results keep the run that has made them.
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
    await project.assay('eval')
    await project.assay('baseline', 'save')
    const text = project.read(BASELINE_FILE)
    expect(new Set(text.match(/"run":"[^"]*"/g)).size).toBe(2)
    const { code, stdout } = await project.assay('compare', 'main', 'latest', '--fail-on-new-failures')
    expect(stdout).toContain('5 tests compared')
    expect(stdout).toContain('main quick was saved from this run')
    expect(code).toBe(2)
  })
})

describe('eval --affected', () => {
  it('passes each gate if nothing is affected and nothing failed', async () => {
    const project = copy()
    project.edit(SUITE_FILE, 'value: Nope', 'value: Hello')
    await project.assay('eval', '--affected')
    await project.assay('baseline', 'save')
    for (const gate of [[], ['--fail-on-regression'], ['--fail-on-new-failures'], ['--min-pass-rate', '1']]) {
      const { code, stderr } = await project.assay('eval', '--affected', ...gate)
      expect(stderr).toContain('0 of 12 tests affected')
      expect(stderr).toContain('quality gate passed')
      expect(code).toBe(0)
    }
  })

  it('counts what is carried over in --min-pass-rate, and does not stop before', async () => {
    const project = copy()
    // On each target: 3 of 4 carried over pass, and 1 of 2 that are run. Alone, these would miss 60 %.
    project.edit(SUITE_FILE, 'value: Hello}', 'value: Missing}')
    project.edit(SUITE_FILE, 'input: Grade me', 'input: Grade it')
    const { code, stderr } = await project.assay('eval', '--affected', '--min-pass-rate', '0.6', '--workers', '1')
    expect(madeIn(project)).toHaveLength(4)
    expect(stderr).toContain('quality gate passed: pass rate quick 66.67 %, careful 66.67 %, 60 % required')
    expect(code).toBe(0)
    expect((await project.assay('eval', '--affected', '--min-pass-rate', '0.7')).code).toBe(1)
  })

  it('never compares a result that is carried over', async () => {
    const project = copy()
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
    await project.assay('eval', '--affected')
    const { stdout } = await project.assay('compare', 'main', 'latest', '--json')
    const { comparisons } = JSON.parse(stdout)
    for (const { pairs, carried, changed } of comparisons)
      expect([pairs.length, carried.length, changed.length]).toEqual([0, 5, 1])
  })

  it('runs a test again whose result has errors', async () => {
    const project = copy()
    const line = /("verdict":)"pass"(,"passed":)1(,"attempts":1,"errors":)0(,"score":)1(,"scores":\[)1/
    const before = project.read(BASELINE_FILE)
    project.write(BASELINE_FILE, before.replace(line, '$1"error"$20$31$4null$50'))
    expect(project.read(BASELINE_FILE)).not.toBe(before)
    const found = await project.affected()
    expect(found).toEqual(['greets on careful: the result in baseline main has errors'])
    await project.assay('eval', '--affected')
    expect(madeIn(project)).toEqual(['greets on careful'])
  })

  it('keeps equally named suites apart', async () => {
    const project = copy()
    cpSync(join(project.cwd, 'suites/support'), join(project.cwd, 'suites/second'), { recursive: true })
    const second = 'suites/second/EVAL.yaml'
    project.edit(second, 'input: Hi', 'input: Hey')
    expect(await project.affected()).toHaveLength(12)
    await project.assay('eval', '--affected')
    expect((await project.assay('baseline', 'save')).stdout).toContain('24 results (12 new, 12 the same)')
    expect(await project.affected()).toEqual([])
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hello')
    expect(await project.affected()).toHaveLength(2)
    // Tests of the other suite are not gone.
    const { stdout } = await project.assay('status', second)
    expect(stdout).toContain('12 tests against baseline main: 12 current, 0 changed, 0 new\n')
  })

  it('leaves results that are carried over alone in --rerun-failed, and names them', async () => {
    const project = copy()
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
    await project.assay('eval', '--affected')
    const calls = callsIn(project)
    const { code, stderr } = await project.assay('eval', '--rerun-failed')
    expect(callsIn(project)).toBe(calls)
    expect(stderr).toContain('No failed or errored attempts to make again.')
    expect(stderr).toMatch(/^fail is-wrong on quick .* carried over$/m)
    expect(code).toBe(1)
  })

  it('runs the control arm of an affected test too', async () => {
    const project = copy()
    await project.assay('eval', '--control', 'quick')
    await project.assay('baseline', 'save')
    project.edit(TARGETS, 'agent/agent.sh, careful', 'agent/agent.sh, calm')
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
    const { stderr } = await project.assay('eval', '--affected', '--control', 'quick', '--fail-on-regression')
    expect(madeIn(project)).toHaveLength(12)
    expect(stderr).toContain('Did it change?')
    expect(stderr).not.toMatch(/Did it change\?.* quick against/)
    project.write(TARGETS, main.read(TARGETS))
    await project.assay('eval', '--affected', '--control', 'quick')
    expect(madeIn(project).toSorted()).toEqual(['greets on careful', 'greets on quick'])
  })
})

describe('a mark that a branch adds to a test that is carried over', () => {
  it.each([
    ['is-wrong', 'expected_failure: known', 0, '10 pass, 2 expected failures', 'no test failed, 2 expected failures'],
    ['greets', 'expected_failure: known', 1, '8 pass, 2 fail, 2 unexpected passes', '2 unexpected passes'],
    ['is-wrong', 'quarantine: {reason: r, until: 9999-12-31}', 0, '2 quarantined (2 failed)', 'without 2 quarantined'],
    ['is-wrong', 'skip: later', 0, '10 tests carried over from baseline main: 10 pass\n', 'no test failed'],
  ])('counts as it is in the suite now: %s with %s', async (id, mark, code, note, gate) => {
    const project = copy()
    project.edit(SUITE_FILE, `id: ${id}`, `id: ${id}\n    execution: {${mark}}`)
    const calls = callsIn(project)
    const ended = await project.assay('eval', '--affected')
    expect(callsIn(project)).toBe(calls)
    expect(ended.stderr).toContain(note)
    expect(ended.stderr).toMatch(new RegExp(`quality gate (passed|failed): .*${gate.replace(/[()]/g, '\\$&')}`))
    expect(ended.code).toBe(code)
    const junit = await project.assay('report', 'latest', '--format', 'junit')
    expect(junit.stdout).toMatch(new RegExp(`failures="${code === 0 ? 0 : 4}"`))
  })
})

describe('a target whose changes cannot be seen', () => {
  const SUITE = { tests: [{ id: 'a', criteria: 'Answers', input: 'Hi', assert: [{ type: 'contains', value: 'yes' }] }] }
  const folderOf = (target: object) =>
    projectIn(
      folderWith({
        'EVAL.yaml': JSON.stringify({ name: 'suite', ...SUITE }),
        '.assay/targets.yaml': JSON.stringify({ targets: [{ name: 'default', ...target }] }),
      }),
    )
  const WARNING = /^warning default: .*, so a changed agent is not noticed; set `depends_on` or `version`$/m

  it('is a warning where its results are carried over', async () => {
    const server = await serve((_, response) => response.end('{"text": "yes"}'))
    const targets = [
      { provider: 'http', url: server.url },
      { provider: 'cli', command: ['echo', 'yes'] },
    ]
    for (const target of targets) {
      const project = folderOf(target)
      expect((await project.assay('eval')).code).toBe(0)
      await project.assay('baseline', 'save')
      const { code, stderr } = await project.assay('eval', '--affected')
      expect(stderr).toContain('0 of 1 test affected')
      expect(stderr).toMatch(WARNING)
      expect(code).toBe(0)
      expect((await project.assay('status')).stderr).toMatch(WARNING)
      project.write('.assay/targets.yaml', JSON.stringify({ targets: [{ name: 'default', ...target, version: '2' }] }))
      expect(await project.affected()).toEqual(['a on default: version of target default changed'])
      expect((await project.assay('status')).stderr).toBe('')
    }
    await server.close()
  })
})
