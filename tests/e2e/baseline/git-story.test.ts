import { cpSync, mkdirSync } from 'node:fs'
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
import { latestId } from '../../support/runs.ts'

const TARGETS = '.assay/targets.yaml'
const ALL = ['greets', 'knows-policy', 'quotes-policy', 'is-graded', 'is-judged', 'is-wrong']
const onBoth = (ids: readonly string[], reason: string) =>
  ids.flatMap(id => [`${id} on quick: ${reason}`, `${id} on careful: ${reason}`])
const onTarget = (target: string, reason: string) => ALL.map(id => `${id} on ${target}: ${reason}`)

let main: GitProject

beforeAll(async () => {
  main = await withBaseline(supportProject())
})

/** A branch of the project, in a folder of its own. */
async function branch(): Promise<GitProject> {
  const folder = folderWith()
  cpSync(main.cwd, folder, { recursive: true })
  const project = projectIn(folder)
  await project.git('checkout', '-qb', 'feature')
  return project
}

describe('a branch', () => {
  it('has nothing affected before its first edit', async () => {
    const project = await branch()
    expect(await project.affected()).toEqual([])
    const calls = callsIn(project)
    const { code, stderr } = await project.assay('eval', '--affected')
    expect(stderr).toContain('0 of 12 tests affected, 12 carried over from baseline main\n')
    expect(stderr).toContain('12 tests carried over from baseline main: 10 pass, 2 fail\n')
    // The failures of main still fail the gate, and are named.
    expect(stderr).toMatch(/^fail is-wrong on quick suites\/support\/EVAL\.yaml:\d+ carried over$/m)
    expect(stderr).toContain('quality gate failed: 2 of 12 tests failed\n')
    expect(code).toBe(1)
    expect(callsIn(project)).toBe(calls)
  })

  it.each<[what: string, edit: (project: GitProject) => void, expected: readonly string[]]>([
    ['a prompt', p => p.edit(SUITE_FILE, 'input: Hi', 'input: Hey'), onBoth(['greets'], 'the input changed')],
    ['a check', p => p.edit(SUITE_FILE, 'value: Hello}', 'value: Hell}'), onBoth(['greets'], 'the checks changed')],
    [
      'the criteria',
      p => p.edit(SUITE_FILE, 'criteria: Greets', 'criteria: Greets you'),
      onBoth(['greets'], 'expected output, criteria, note or metadata changed'),
    ],
    [
      'the second file of the agent',
      p => p.edit('agent/rules.sh', 'Hello', 'Hello-there'),
      ALL.flatMap(id => onBoth([id], 'agent/rules.sh changed')),
    ],
    [
      'the program of the agent',
      p => p.edit('agent/agent.sh', 'echo "', 'echo  "'),
      ALL.flatMap(id => onBoth([id], 'agent/agent.sh changed')),
    ],
    [
      'a fixture that two tests share',
      p => p.write('suites/support/policy.md', 'No refunds.\n'),
      onBoth(['knows-policy', 'quotes-policy'], 'suites/support/policy.md changed'),
    ],
    [
      'a judge that is a program',
      p => p.write('suites/support/judge.sh', `echo '{"score": 0}'\n`),
      onBoth(['is-graded'], 'suites/support/judge.sh changed'),
    ],
    ['a judge that is a model', p => p.edit(TARGETS, 'fine', 'great'), onBoth(['is-judged'], 'the judge changed')],
    [
      'the prompt of a judge',
      p => p.edit(SUITE_FILE, 'Good? ', 'Is it good? '),
      onBoth(['is-judged'], 'the checks changed'),
    ],
    [
      'a field of one target',
      p => p.edit(TARGETS, 'agent/agent.sh, careful', 'agent/agent.sh, very careful'),
      onTarget('careful', 'command of target careful changed'),
    ],
    [
      'a new field of one target',
      p => p.edit(TARGETS, '    extends: quick', '    extends: quick\n    version: "2"'),
      onTarget('careful', 'version of target careful changed'),
    ],
    [
      'a rename of a test',
      p => p.edit(SUITE_FILE, 'id: greets', 'id: says-hello'),
      onBoth(['says-hello'], 'new test, renamed from `greets`'),
    ],
    [
      'a test of its own',
      p =>
        p.write(
          SUITE_FILE,
          `${p.read(SUITE_FILE)}  - {id: added, criteria: x, input: New, assert: [{type: contains, value: Hello}]}\n`,
        ),
      onBoth(['added'], 'new test'),
    ],
    [
      'a target of its own',
      p => {
        p.edit(TARGETS, '  - name: grader', '  - {name: bold, extends: quick}\n  - name: grader')
        p.edit(SUITE_FILE, '[quick, careful]', '[quick, careful, bold]')
      },
      onTarget('bold', 'new target bold'),
    ],
    [
      'tags of the suite, and fields of a target that say nothing about answers',
      p => {
        p.edit(SUITE_FILE, 'name: support', 'name: support\nmetadata: {tags: [smoke]}')
        p.edit(TARGETS, 'cwd: .', 'cwd: .\n    workers: 2')
      },
      [],
    ],
  ])('that edits %s runs exactly what depends on it', async (_, edit, expected) => {
    const project = await branch()
    edit(project)
    const found = await project.affected()
    expect(found.toSorted()).toEqual(expected.toSorted())
    const { stderr } = await project.assay('eval', '--affected')
    const names = expected.map(line => line.split(':')[0] ?? '')
    expect(madeIn(project).toSorted()).toEqual(names.toSorted())
    expect(stderr).toMatch(new RegExp(`^${expected.length} of \\d+ tests affected`, 'm'))
  })

  it('has several reasons at once, each at its test', async () => {
    const project = await branch()
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
    project.write('suites/support/policy.md', 'No refunds.\n')
    project.edit(TARGETS, 'agent/agent.sh, careful', 'agent/agent.sh, calm')
    await project.commit('Several edits')
    const found = await project.affected()
    expect(found).toContain('greets on quick: the input changed')
    expect(found).toContain('greets on careful: the input changed, command of target careful changed')
    expect(found).toContain('knows-policy on quick: suites/support/policy.md changed')
    expect(found).toContain('is-wrong on careful: command of target careful changed')
    expect(found.filter(line => line.includes('on quick'))).toHaveLength(3)
  })

  it('keeps the results of a suite that is moved, with its new location', async () => {
    const project = await branch()
    mkdirSync(join(project.cwd, 'other'))
    await project.git('mv', 'suites/support', 'other/support')
    const { stdout } = await project.assay('status', '--why')
    expect(stdout).toContain('current  support  greets on quick: moved from suites/support/EVAL.yaml\n')
    expect(stdout).toContain('12 tests against baseline main: 12 current, 0 changed, 0 new\n')
    const { stderr } = await project.assay('eval', '--affected')
    expect(stderr).toContain('fail is-wrong on quick other/support/EVAL.yaml:')
    expect((await project.assay('baseline', 'save')).stdout).toContain('12 results')
    expect(project.read(BASELINE_FILE)).not.toContain('"file":"suites/support/EVAL.yaml"')
    expect(await project.affected()).toEqual([])
  })

  it('lists a deleted test as gone, and drops it when the baseline is saved', async () => {
    const project = await branch()
    const suite = project.read(SUITE_FILE)
    project.write(SUITE_FILE, suite.slice(0, suite.indexOf('  - id: is-wrong')))
    const { stdout } = await project.assay('status')
    expect(stdout).toContain('gone     support  is-wrong on quick\n')
    expect(stdout).toContain('10 tests against baseline main: 10 current, 0 changed, 0 new, 2 gone\n')
    const { code, stderr } = await project.assay('eval', '--affected')
    expect(code).toBe(0)
    expect(stderr).toContain('gone     support is-wrong')
    expect((await project.assay('baseline', 'save')).stdout).toContain('10 results (10 the same, 2 removed)')
  })

  it('does not call a skipped test gone, and keeps its result', async () => {
    const project = await branch()
    project.edit(SUITE_FILE, 'id: is-wrong', 'id: is-wrong\n    execution: {skip: no sandbox}')
    const { stdout } = await project.assay('status', '--why')
    expect(stdout).toContain('skipped  support  is-wrong: no sandbox\n')
    expect(stdout).toContain('10 tests against baseline main: 10 current, 0 changed, 0 new, 1 skipped\n')
    const { code } = await project.assay('eval', '--affected')
    expect(code).toBe(0)
    const saved = await project.assay('baseline', 'save')
    expect(saved.stdout).toContain('unchanged')
    expect(saved.stdout).toContain('12 results (10 the same, 2 kept, which the run does not cover)')
  })

  it('needs more trials than main has', async () => {
    const project = await branch()
    const found = await project.affected('--trials', '2')
    expect(found).toHaveLength(12)
    expect(found[0]).toBe('greets on quick: 2 trials wanted, baseline main has 1')
    expect(await project.affected('--trials', '1')).toEqual([])
  })

  it('is compared with its branch point, whatever the baseline of its own says', async () => {
    const project = await branch()
    const point = await project.git('rev-parse', 'main')
    project.edit('agent/rules.sh', 'Hello', 'Goodbye')
    expect((await project.assay('eval')).code).toBe(1)
    await project.assay('baseline', 'save')
    await project.commit('Worse')
    expect(await project.affected()).toEqual([])
    expect(await project.affected('--against', `git:${point}`)).toHaveLength(12)
    expect(await project.affected('--against', 'git:main:main')).toHaveLength(12)
    const own = await project.assay('eval', '--against', 'main', '--fail-on-new-failures')
    expect(own.code).toBe(0)
    const { code, stderr } = await project.assay('eval', '--against', 'git:main', '--fail-on-new-failures')
    expect(code).toBe(1)
    expect(stderr).toContain('3 new failures')
    expect((await project.assay('compare', 'git:main', 'latest', '--fail-on-new-failures')).code).toBe(1)
  })

  it.each([
    ['git:nowhere', 'there is no commit nowhere in this repository'],
    ['git:HEAD:nightly', '.assay/baselines/nightly.json does not exist at commit'],
    ['git:', 'does not name a baseline'],
    ['git:-n', 'does not name a baseline'],
    ['git:main:main:more', 'does not name a baseline'],
    ['git:main:../../etc', 'does not name a baseline'],
  ])('cannot be compared with %s', async (against, message) => {
    const project = await branch()
    const calls = callsIn(project)
    const { code, stderr } = await project.assay('eval', '--against', against)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
    expect(callsIn(project)).toBe(calls)
  })

  it('records that its tree was dirty, and still compares by content', async () => {
    const project = await branch()
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
    const { stderr } = await project.assay('eval', '--affected')
    expect(stderr).toContain('(feature, dirty)')
    project.edit(SUITE_FILE, 'input: Hey', 'input: Hi')
    expect(await project.affected()).toEqual([])
  })
})

describe('the reports of an affected run', () => {
  let project: GitProject
  beforeAll(async () => {
    project = await branch()
    project.edit(SUITE_FILE, 'input: Hi', 'input: Hey')
    await project.assay('eval', '--affected')
  })
  const NOTE = '10 tests carried over from baseline main: 8 pass, 2 fail'

  it.each(['text', 'markdown', 'html', 'junit', 'github'])(
    'have the counts of what was carried over: %s',
    async format => {
      const file = join(project.cwd, `report-${format}`)
      expect((await project.assay('report', 'latest', '--format', format, '-o', file)).code).toBe(0)
      expect(project.read(`report-${format}`)).toContain(NOTE)
    },
  )

  it('have each carried test in JUnit, where failures fail', async () => {
    const { stdout } = await project.assay('report', 'latest', '--format', 'junit')
    expect(stdout).toMatch(/<testsuites name="assay" failures="2" errors="0" tests="12" skipped="8"/)
    expect(stdout.match(/<failure message="fail, carried over from baseline main" type="fail"\/>/g)).toHaveLength(2)
  })

  it('have an annotation for each carried failure on GitHub', async () => {
    const { stdout } = await project.assay('report', 'latest', '--format', 'github')
    expect(stdout).toMatch(/^::error file=suites\/support\/EVAL\.yaml,line=\d+,title=fail%?3?A? is-wrong on quick::/m)
  })

  it('have the carried tests apart from those that were run in JSON', async () => {
    const { stdout } = await project.assay('report', 'latest', '--format', 'json')
    const { summary, results } = JSON.parse(stdout)
    expect(results).toHaveLength(2)
    expect(summary.counts).toEqual({ pass: 2, borderline: 0, fail: 0, error: 0 })
    expect(summary.carried).toMatchObject({ from: 'baseline main', counts: { pass: 8, fail: 2 } })
    expect(summary.carried.tests).toHaveLength(10)
    expect(latestId(project.cwd)).toBe(results[0].run_id)
  })
})
