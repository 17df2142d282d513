import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { linesOf, type Recorded, recordsIn, resultsIn, runFolder, suiteFolder } from '../../../support/suite-run.ts'
import { FIRST, LONGER, type PairServer, servePairs } from './pair-server.ts'

const GRADED = { type: 'regex', value: 'answer' }
const AGAINST_OLD = { type: 'pairwise', against: 'target old' }
const ANSWERS = {
  new: (input: string) => `the longer answer to ${input}`,
  old: (input: string) => `answer to ${input}`,
}

/** A folder with tests that have these checks. */
function projectOf({ targets }: PairServer, checks: readonly object[], execution: object = {}, tests = 3): string {
  return suiteFolder(suiteOf(checks, execution, tests), targets)
}

function suiteOf(checks: readonly object[], execution: object = {}, tests = 3, input = 'question') {
  return {
    name: 'agents',
    execution,
    tests: Array.from({ length: tests }, (_, index) => ({
      id: `t${index}`,
      criteria: 'Is complete',
      input: `${input} ${index}`,
      assert: checks,
    })),
  }
}

function rewrite(cwd: string, suite: object): void {
  writeFileSync(join(cwd, 'EVAL.yaml'), JSON.stringify(suite))
}

const BOTH = { targets: ['new', 'old'] }
const pairOf = ({ evaluator_results }: Recorded) => evaluator_results.find(({ type }) => type === 'pairwise')?.pair
const pairsIn = (cwd: string) => resultsIn(cwd).flatMap(result => pairOf(result) ?? [])
const callsOf = (server: PairServer) => ['new', 'old', 'judge'].map(name => server.callsTo(name))

/** Removes what a killed run had not written yet: all results of a target, and half a line. */
function loseResults(cwd: string, isLost: (result: Recorded) => boolean): void {
  const path = join(runFolder(cwd), 'results.jsonl')
  const kept = linesOf(path).filter(line => !isLost(JSON.parse(line)))
  writeFileSync(path, `${kept.map(line => `${line}\n`).join('')}{"schema_ver`)
}

describe('a resumed run', () => {
  it.each([['new'], ['old'], ['new', 'old']])(
    'compares with recorded answers, if the results of %s %s were lost',
    async (...names) => {
      const server = await servePairs({ choose: LONGER, answers: ANSWERS })
      const cwd = projectOf(server, [GRADED, AGAINST_OLD], BOTH)
      await assay(['eval'], { cwd })
      const before = callsOf(server)
      loseResults(cwd, ({ target }) => names.includes(target))
      const { code } = await assay(['eval', '--resume'], { cwd })
      expect(code).toBe(0)
      // Only the judge of the lost comparisons is asked again.
      expect(callsOf(server)).toEqual([3, 3, (before[2] ?? 0) + (names.includes('new') ? 6 : 0)])
      expect(resultsIn(cwd)).toHaveLength(6)
    },
  )

  it('makes comparisons again after the other target has changed', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED, AGAINST_OLD], BOTH)
    await assay(['eval'], { cwd })
    const path = join(cwd, '.assay/targets.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"model":"old"', '"model":"older"'))
    await assay(['eval', '--resume'], { cwd })
    expect(callsOf(server)).toEqual([6, 6, 12])
  })

  it('compares a trial that a rerun adds with the first trial', async () => {
    const server = await servePairs({ choose: FIRST, answers: ANSWERS })
    const cwd = projectOf(server, [AGAINST_OLD, { ...GRADED, weight: 0.1 }], BOTH, 1)
    await assay(['eval'], { cwd })
    await assay(['eval', '--rerun-failed'], { cwd })
    expect(callsOf(server)).toEqual([2, 1, 4])
    expect(pairsIn(cwd)).toHaveLength(2)
  })
})

describe('assay grade', () => {
  it('compares the recorded answers of two targets, without asking them', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED], BOTH)
    await assay(['eval'], { cwd })
    rewrite(cwd, suiteOf([GRADED, AGAINST_OLD], BOTH))
    const { stderr, code } = await assay(['grade', 'latest'], { cwd })
    expect(code).toBe(0)
    expect(stderr).toContain('new against target old: 3 wins, 0 losses, 0 ties')
    expect(callsOf(server)).toEqual([3, 3, 6])
  })

  it('reports a target of which the run has no answer', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED], { target: 'new' })
    await assay(['eval'], { cwd })
    rewrite(cwd, suiteOf([GRADED, AGAINST_OLD], { target: 'new' }))
    const { stderr, code } = await assay(['grade', 'latest'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('the target `old` does not run the test `t0`')
  })
})

describe('a cached run', () => {
  it('asks neither targets nor the judge again, and counts the same pairs', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED, AGAINST_OLD], BOTH)
    await assay(['eval', '--cache'], { cwd })
    const before = pairsIn(cwd)
    await assay(['eval', '--cache'], { cwd })
    expect(pairsIn(cwd)).toEqual(before)
    expect(callsOf(server)).toEqual([3, 3, 6])
  })
})

describe('shards', () => {
  it('keep the targets of a test together', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED, AGAINST_OLD], BOTH, 4)
    for (const shard of ['1/2', '2/2']) {
      expect((await assay(['eval', '--shard', shard], { cwd })).code).toBe(0)
      expect(pairsIn(cwd)).toHaveLength(2)
    }
    expect(callsOf(server)).toEqual([4, 4, 8])
  })
})

describe('runs that cannot compare targets', () => {
  it('refuse a queue, and say what to do', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED, AGAINST_OLD], BOTH)
    const { stderr, code } = await assay(['eval', '--queue', 'redis://127.0.0.1:1'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain('The check pairwise of the test t0 compares the answer with another one')
    expect(stderr).toContain('Run it without --queue')
  })

  it('refuse --until-decided, unless the other target is the control arm', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED, AGAINST_OLD], BOTH, 20)
    const decide = ['eval', '--until-decided', '--seed', '1']
    const refused = await assay([...decide, '--min-pass-rate', '0.5'], { cwd })
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('compares with a target that is not the control arm')
    expect(server.server.calls).toEqual([])
    const { stderr } = await assay([...decide, '--control', 'old', '--max-trials', '2'], { cwd })
    expect(stderr).toMatch(/new against target old: \d+ wins, 0 losses, 0 ties/)
    // Every answer that was asked for belongs to a result.
    expect(recordsIn(`${runFolder(cwd)}/answers.jsonl`)).toHaveLength(resultsIn(cwd).length)
  })

  it.each([
    [
      'is not among the targets',
      { targets: ['new'] },
      [GRADED, AGAINST_OLD],
      /the target `old` does not run the test `t0`/,
    ],
    ['has no check that applies to it', BOTH, [AGAINST_OLD], /no check of the test `t0` applies to the target `old`/],
    ['is unknown', BOTH, [GRADED, { type: 'pairwise', against: 'target odl' }], /the target `odl` does not run/],
  ])('report a target that %s', async (_, execution, checks, words) => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const { stderr, code } = await assay(['eval'], { cwd: projectOf(server, checks, execution) })
    expect(code).toBe(2)
    expect(stderr).toMatch(words)
    expect(stderr).toMatch(/EVAL.yaml:\d+:\d+ error no-comparison/)
    expect(server.server.calls).toEqual([])
  })

  it('take the control arm that the command line names', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED, AGAINST_OLD], { target: 'new' })
    const { code } = await assay(['eval', '--target', 'new', '--control', 'old'], { cwd })
    expect(code).toBe(0)
    expect(pairsIn(cwd)).toHaveLength(3)
  })
})

describe('--affected', () => {
  it('runs a test on both targets that it compares, if one of them has changed', async () => {
    const server = await servePairs({ choose: LONGER, answers: ANSWERS })
    const cwd = projectOf(server, [GRADED, AGAINST_OLD], BOTH)
    await assay(['eval'], { cwd })
    await assay(['baseline', 'save'], { cwd })
    const path = join(cwd, '.assay/targets.yaml')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"model":"new"', '"model":"newer"'))
    const { code, stderr } = await assay(['eval', '--affected', '--against', 'main'], { cwd })
    expect(`${code} ${stderr}`).toMatch(/^0 /)
    expect(callsOf(server)).toEqual([6, 6, 12])
  })
})
