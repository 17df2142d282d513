import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { latestId, runInfoOf, suiteFolder, wordTest } from '../../../support/runs.ts'

const IDS = Array.from({ length: 20 }, (_, index) => `t${index + 10}`)

/** Targets that say `yes` where the pattern matches, `no` otherwise, and give no answer to what `lost` matches. */
const TARGETS = {
  all: mock('all', ['t', 'yes']),
  half: mock('half', ['t1', 'yes'], ['t', 'no']),
  none: mock('none', ['t', 'no']),
  lost: mock('lost', ['t1', 'yes']),
}

function mock(name: string, ...responses: readonly (readonly [pattern: string, response: string])[]) {
  return { name, provider: 'mock', responses: responses.map(([pattern, response]) => ({ pattern, response })) }
}

function folder(target: keyof typeof TARGETS, control: keyof typeof TARGETS, tests: readonly string[] = IDS): string {
  return suiteFolder(
    {
      name: 'words',
      execution: { targets: [target, control], control },
      tests: tests.map(id => wordTest(id, id, 'yes')),
    },
    JSON.stringify({ targets: Object.values(TARGETS) }),
  )
}

const evaluate = (cwd: string, ...args: string[]) => assay(['eval', ...args], { cwd })

describe('assay eval with a control arm', () => {
  it('ends with the answer to "Does it help?"', async () => {
    const { stderr } = await evaluate(folder('all', 'half'))
    expect(stderr).toContain('\nDoes it help? all against the control arm half\n')
    expect(stderr).toContain('20 tests compared: 10 improved, 0 worse, 10 the same\n')
    expect(stderr).toContain('\nbetter\n')
  })

  it.each<[target: keyof typeof TARGETS, control: keyof typeof TARGETS, gate: string, code: number, text: string]>([
    ['all', 'half', '--fail-on-regression', 0, 'quality gate passed\n'],
    ['all', 'half', '--require-better', 0, 'quality gate passed\n'],
    ['none', 'half', '--fail-on-regression', 1, 'quality gate failed: worse\n'],
    ['none', 'half', '--require-better', 1, 'quality gate failed: worse, but better is required\n'],
    ['lost', 'half', '--fail-on-regression', 1, 'quality gate failed: errors rose (0 → 10)\n'],
  ])('%s against %s with %s exits with the code of the comparison', async (target, control, gate, code, text) => {
    const result = await evaluate(folder(target, control), gate)
    expect(result.stderr).toContain(text)
    expect(result.code).toBe(code)
  })

  it('is inconclusive with --require-better if chance can explain the difference', async () => {
    const { code, stderr } = await evaluate(folder('all', 'half', ['t10', 't11', 't20']), '--require-better')
    expect(stderr).toContain('quality gate cannot pass (inconclusive): inconclusive\n')
    expect(code).toBe(4)
  })

  it('fails --require-better if the arms are equivalent within the margin', async () => {
    const cwd = suiteFolder(
      {
        name: 'words',
        execution: { targets: ['all', 'other'], control: 'other' },
        tests: IDS.map(id => wordTest(id, id, 'yes')),
      },
      JSON.stringify({ targets: [TARGETS.all, mock('other', ['t', 'yes'])] }),
    )
    const { code, stderr } = await evaluate(cwd, '--require-better', '--margin', '0.5')
    expect(stderr).toContain('\nequivalent: the difference is within ±0.5;')
    expect(stderr).toContain('quality gate failed: equivalent, but better is required\n')
    expect(code).toBe(1)
    expect((await evaluate(cwd, '--fail-on-regression', '--margin', '0.5')).code).toBe(0)
  })

  it('decides by the comparison alone, unless a gate on verdicts is given as well', async () => {
    const cwd = folder('half', 'none')
    expect((await evaluate(cwd, '--require-better')).code).toBe(0)
    expect((await evaluate(cwd, '--require-better', '--fail-on', 'fail')).code).toBe(1)
    // The rate is certain after 16 tests, but the comparison needs all of them.
    const { code, stderr } = await evaluate(cwd, '--require-better', '--min-pass-rate', '0.4')
    expect(stderr).toContain('20 tests compared: 10 improved')
    expect([code, stderr.match(/^quality gate .*$/gm)]).toEqual([
      0,
      [expect.stringContaining('quality gate passed: pass rate'), 'quality gate passed'],
    ])
  })

  it('keeps the gate and the margin in run.json, so that a resumed run and its reports use them', async () => {
    const cwd = folder('none', 'half')
    await evaluate(cwd, '--fail-on-regression', '--margin', '0.1')
    expect(runInfoOf(cwd).options).toMatchObject({ fail_on_regression: true, margin: 0.1 })
    const resumed = await evaluate(cwd, '--resume')
    expect(resumed.code).toBe(1)
    const report = await assay(['report', latestId(cwd)], { cwd })
    expect(report.stdout).toContain('\nworse by more than the margin of 0.1\n')
  })
})

describe('a comparison gate without a control arm', () => {
  it('is a usage error that says what to do, before anything is asked', async () => {
    const cwd = suiteFolder(
      { name: 'words', execution: { targets: ['all', 'half'] }, tests: [wordTest('t10', 't10', 'yes')] },
      JSON.stringify({ targets: Object.values(TARGETS) }),
    )
    for (const args of [['--fail-on-regression'], ['--require-better'], ['--margin', '0.1']]) {
      const { code, stderr } = await evaluate(cwd, ...args)
      expect(code).toBe(2)
      expect(stderr).toContain(`${args[0]} needs saved results or a control arm`)
      expect(stderr).toContain(
        'such as --against main, or two targets and the control, such as --target new --target old --control old',
      )
      expect(stderr).not.toContain('recorded in')
    }
  })
})

describe('a control arm without some of its results', () => {
  it('cannot decide, and the reports list the tests that were not compared', async () => {
    const cwd = folder('all', 'half')
    await evaluate(cwd)
    const file = join(cwd, '.assay/runs', latestId(cwd), 'results.jsonl')
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    const isKept = (line: string) => !/"test_id":"t1[0-4]".*"control":true/.test(line)
    writeFileSync(
      file,
      lines
        .filter(isKept)
        .map(line => `${line}\n`)
        .join(''),
    )
    const report = await assay(['report', 'latest'], { cwd })
    expect(report.stdout).toContain('partial run: not finished, 35 of 40 attempts made\n')
    expect(report.stdout).toContain(
      '15 tests compared: 10 improved, 0 worse, 5 the same; left out: 5 without control\n',
    )
    const compared = await assay(['compare', 'latest', '--require-better'], { cwd })
    expect(compared.stdout).toContain('quality gate cannot pass (incomplete): ')
    expect(compared.code).toBe(3)
    expect((await evaluate(cwd, '--resume', '--require-better')).code).toBe(0)
  })
})
