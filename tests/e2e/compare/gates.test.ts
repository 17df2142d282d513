import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { folderWith } from '../../support/program.ts'
import { wordTest } from '../../support/runs.ts'
import { agentFolder, compare, NEW_FAILURES, REGRESSION, runEval, words } from './agent-runs.ts'

/** Runs the suite with the first and with the second agent. */
async function runBothAgents(cwd: string, agent: string, ...args: string[]): Promise<[first: string, second: string]> {
  const first = await runEval(cwd, ...args)
  writeFileSync(join(cwd, 'agent.sh'), agent)
  return [first, await runEval(cwd, ...args)]
}

describe('a regression hidden by scores', () => {
  it('is found if scores fall slightly below the pass threshold', async () => {
    const assert = [{ type: 'code_judge', script: ['sh', 'judge.sh'] }]
    // Tests that fail anyway vary, so that the mean shows nothing.
    const judge = (crossing: string, up: string, down: string) =>
      `case "$(cat)" in *t1*) s=${crossing};; *t[23][02468]*) s=${up};; *) s=${down};; esac; echo "{\\"score\\": $s}"`
    const cwd = agentFolder({ name: 'marks', tests: words(30, { assert }) }, 'echo yes', {
      'judge.sh': judge('0.81', '0.4', '0.4'),
    })
    const first = await runEval(cwd)
    writeFileSync(join(cwd, 'judge.sh'), judge('0.79', '0.7', '0.1'))
    const { code, stdout } = await compare(cwd, first, await runEval(cwd), REGRESSION)
    expect(stdout).toContain('\npass rate −0.333 [')
    expect(stdout).toContain('\nworse: by the pass rate\n\nquality gate failed: worse\n')
    expect(code).toBe(1)
  })

  it('is found if a required check of weight 0 is missed in every test', async () => {
    const assert = [
      { type: 'contains', value: 'yes' },
      { type: 'contains', value: 'euro', weight: 0, required: true },
    ]
    const cwd = agentFolder({ name: 'prices', tests: words(12, { assert }) }, 'echo yes, 4 euro')
    const runs = await runBothAgents(cwd, 'echo yes, 4')
    const { code, stdout } = await compare(cwd, ...runs, REGRESSION)
    expect(code).toBe(1)
    expect(stdout).toContain('compared: 1.00 → 0.00 (an error or a missed required check counts as 0)\n')
    expect(stdout).toContain('\nworse\n\nquality gate failed: worse\n')
  })

  it('is found if all tests but one crash', async () => {
    const cwd = agentFolder({ name: 'crashes', tests: words(10) }, 'echo yes')
    const runs = await runBothAgents(cwd, '[ "$1" = t10 ] || exit 1; echo yes')
    const { code, stdout } = await compare(cwd, ...runs, REGRESSION)
    expect(code).toBe(1)
    expect(stdout).toContain('10 tests compared: 0 improved, 9 worse, 1 the same\n')
    expect(stdout).toContain('errors: 0 of 10 attempts before, 9 of 10 after\n')
    expect(stdout).toContain(
      '\ninconclusive: the verdict depends on errors: −0.900 with errors as 0, 0.000 without tests that',
    )
    expect(stdout).toContain('\nquality gate failed: worse where errors count as failures; errors rose (0 → 9)\n')
    expect((await compare(cwd, ...runs)).code).toBe(0)
  })

  it('is found in a single broken test by its trials', async () => {
    const cwd = agentFolder({ name: 'trials', tests: words(4) }, 'echo yes')
    const runs = await runBothAgents(cwd, '[ "$1" = t11 ] && echo no || echo yes', '--trials', '5')
    const { code, stdout } = await compare(cwd, ...runs, REGRESSION)
    expect(code).toBe(1)
    expect(stdout).toContain(
      '\n  broke    trials t11 5 of 5 → 0 of 5, p = 0.0079 (Fisher, Holm over 4 tests: p = 0.0317)\n',
    )
    expect(stdout).toContain('\nquality gate failed: 1 test broke\n')
  })
})

describe('no regression', () => {
  it('is found for one trial before and five after', async () => {
    // Every fifth answer of a third of the tests fails, which one trial rarely shows.
    const agent =
      'case "$1" in t1*) n=$(cat "$1" 2>/dev/null); echo "$n"x > "$1"; [ "$n" = xx ] && echo no || echo yes;; *) echo yes;; esac'
    const cwd = agentFolder({ name: 'steady', tests: words(20) }, agent)
    const first = await runEval(cwd)
    const second = await runEval(cwd, '--trials', '5')
    const { code, stdout } = await compare(cwd, first, second, REGRESSION)
    expect(stdout).toContain('(permutation within tests)\ninconclusive: ')
    expect(code).toBe(0)
  })
})

describe('--fail-on-new-failures', () => {
  it('lists tests that no longer pass, and marks changed ones', async () => {
    const suite = { name: 'plain', tests: words(6) }
    const cwd = agentFolder(suite, 'echo yes')
    const first = await runEval(cwd)
    writeFileSync(
      join(cwd, 'agent.sh'),
      'case "$1" in t10) echo no;; t11) exit 1;; t12) echo maybe;; *) echo yes;; esac',
    )
    const tests = [...words(2), wordTest('t12', 't12', 'surely'), ...words(6).slice(3)]
    writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify({ execution: { target: 'agent' }, ...suite, tests }))
    const second = await runEval(cwd)
    const { code, stdout } = await compare(cwd, first, second, NEW_FAILURES)
    expect(code).toBe(1)
    expect(stdout).toContain(`
quality gate failed: 3 new failures
  new failure plain t10 pass → fail
  new failure plain t11 pass → error
  new failure plain t12 pass → fail (changed)
`)
    const { comparisons, gate } = JSON.parse((await compare(cwd, first, second, NEW_FAILURES, '--json')).stdout)
    expect(comparisons[0].new_failures.map(({ test_id }: { test_id: string }) => test_id)).toEqual([
      't10',
      't11',
      't12',
    ])
    expect(gate).toEqual({ result: 'failed', reasons: ['3 new failures'] })
    expect((await compare(cwd, second, first, NEW_FAILURES)).code).toBe(0)
  })
})

describe('notes above the numbers', () => {
  it('name runs with cached answers or repeated attempts', async () => {
    const cwd = agentFolder({ name: 'notes', tests: words(6) }, 'echo yes')
    await runEval(cwd, '--cache')
    const cached = await runEval(cwd, '--cache')
    writeFileSync(join(cwd, 'agent.sh'), '[ "$1" = t10 ] && echo no || echo yes')
    const again = await runEval(cwd)
    await assay(['eval', '--quiet', `--rerun-failed=${again}`], { cwd })
    const { stdout } = await compare(cwd, cached, again)
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      `${cached}: 6 of 6 answers cached`,
      `${again}: 1 attempt repeated in 1 rerun`,
      '',
    ])
    expect(JSON.parse((await compare(cwd, cached, again, '--json')).stdout).runs).toEqual([
      { run: cached, answers: 6, cached: 6 },
      { run: again, reruns: { attempts: 1, reruns: 1 }, answers: 7, cached: 0 },
    ])
  })
})

describe('suites with the same name and ids', () => {
  /** Two suites that both have `same` and `other`; the agent gives one answer to all. */
  const twins = (answer: string) => {
    const suite = (word: string) => ({
      name: 'twins',
      execution: { target: 'agent' },
      tests: [wordTest('same', word, word), wordTest('other', 'Well?', word)],
    })
    const targets = [{ name: 'agent', provider: 'mock', response: answer }]
    return folderWith({
      'a.eval.yaml': JSON.stringify(suite('yes')),
      'b.eval.yaml': JSON.stringify(suite('no')),
      '.assay/targets.yaml': JSON.stringify({ targets }),
    })
  }

  it('are matched by file: grading again gives full agreement', async () => {
    const cwd = twins('yes')
    const source = await runEval(cwd)
    await assay(['grade', source, '--quiet'], { cwd })
    const { stdout } = await compare(cwd, source, 'latest')
    expect(stdout).toContain('4 tests compared: 0 improved, 0 worse, 4 the same\n')
    expect(stdout).toContain('\nsame answers, graded twice: 100 % of 4 tests have the same verdict, κ 1.00\n')
  })

  it('stay matched if one of them is gone', async () => {
    const cwd = twins('no')
    const first = await runEval(cwd)
    rmSync(join(cwd, 'a.eval.yaml'))
    const { stdout } = await compare(cwd, first, await runEval(cwd))
    expect(stdout).toContain('2 tests compared: 0 improved, 0 worse, 2 the same; left out: 2 gone\n')
  })
})

it('counts tests with errors as not comparable between gradings', async () => {
  const assert = [{ type: 'code_judge', script: ['sh', 'judge.sh'] }]
  const cwd = agentFolder({ name: 'judged', tests: words(3, { assert }) }, 'echo yes', {
    'judge.sh': 'echo \'{"score": 1}\'',
  })
  const source = await runEval(cwd)
  writeFileSync(join(cwd, 'judge.sh'), 'grep -q t10 && exit 1; echo \'{"score": 1}\'')
  await assay(['grade', source, '--quiet'], { cwd })
  const { stdout } = await compare(cwd, source, 'latest')
  expect(
    stdout.endsWith(
      'graded twice: 100 % of 2 tests have the same verdict, κ undefined (every verdict is the same); 1 test with errors not comparable\n',
    ),
  ).toBe(true)
})
