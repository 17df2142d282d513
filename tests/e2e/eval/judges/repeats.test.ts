import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { judgeFolder, OK, runJudges } from '../../../support/judges/judge-suite.ts'
import { model, targetOf } from '../../../support/servers/model-servers.ts'
import { type Server, serve } from '../../../support/servers/server.ts'
import { resultsIn, runFolder } from '../../../support/suite-run.ts'

/** A judge that counts: its n-th reply has the n-th score. */
let server: Server
let scores: readonly (number | string)[]
beforeEach(async () => {
  scores = [0.9, 0.5, 0.7]
  server = await serve((call, response) => {
    const score = scores[(call.nth - 1) % scores.length]
    const text = typeof score === 'number' ? JSON.stringify({ score, reasoning: String(call.nth) }) : String(score)
    return model('openai_compatible', { text })(call, response)
  })
})
afterEach(() => server.close())

const JUDGED = { type: 'llm_judge' }
const COUNTING = { type: 'code_judge', name: 'counted', command: ['node', 'count.mjs'] }
const COUNT = `import { appendFileSync } from 'node:fs'
appendFileSync(process.env.COUNTED, 'x')
console.log('{"score": 1}')
`
const folderWith = (assert: readonly object[], ids: readonly string[] = ['case']) =>
  judgeFolder({
    tests: ids.map(id => ({ id, assert })),
    targets: [...OK, { name: 'judge', ...targetOf('openai_compatible', server.url), retries: 0 }],
    files: { 'count.mjs': COUNT },
  })
const run = (folder: string, ...args: string[]) => runJudges(folder, args, { COUNTED: join(folder, 'counted') })
const counted = (folder: string) => readFileSync(join(folder, 'counted'), 'utf8').length

describe('--judge-repeats', () => {
  it('judges each answer several times; the first grading counts', async () => {
    const folder = folderWith([JUDGED])
    const { results } = await run(folder, '--judge-repeats', '3', '--workers', '1')
    const [result] = results
    expect(result?.judge_scores).toHaveLength(3)
    expect([...(result?.judge_scores ?? [])].sort()).toEqual([0.5, 0.7, 0.9])
    expect(result?.judge_scores?.[0]).toBe(result?.score)
    expect(result).toMatchObject({ judge_usage: { calls: 3 } })
    expect(JSON.parse(readFileSync(join(runFolder(folder), 'run.json'), 'utf8')).options).toMatchObject({
      judge_repeats: 3,
    })
  })

  it('runs other checks once, also inside a composite', async () => {
    const composite = { type: 'composite', evaluators: [JUDGED, { ...COUNTING, name: 'inside' }] }
    const folder = folderWith([COUNTING, composite])
    const { results } = await run(folder, '--judge-repeats', '3')
    expect(counted(folder)).toBe(2)
    expect(server.calls).toHaveLength(3)
    expect([...(results[0]?.judge_scores ?? [])].sort()).toEqual([0.875, 0.925, 0.975])
  })

  it('leaves out gradings without a score, and is not recorded if the first has none', async () => {
    scores = [0.9, 'nonsense', 'nonsense', 'nonsense', 'nonsense', 'nonsense', 'nonsense']
    const { results } = await run(folderWith([JUDGED]), '--judge-repeats', '2')
    const [result] = results
    // Which of the two concurrent calls is answered first is not determined.
    if (result?.verdict === 'error') expect(result.judge_scores).toBeUndefined()
    else expect(result?.judge_scores).toEqual([0.9])
  })

  it('keeps the cache of the first grading, and asks each repeat once', async () => {
    const folder = folderWith([JUDGED])
    const single = await run(folder, '--cache')
    expect(server.calls).toHaveLength(1)
    const first = await run(folder, '--cache', '--judge-repeats', '3')
    expect(server.calls).toHaveLength(3)
    expect(first.results[0]?.score).toBe(single.results[0]?.score)
    expect(new Set(first.results[0]?.judge_scores).size).toBe(3)
    const second = await run(folder, '--cache', '--judge-repeats', '3')
    expect(server.calls).toHaveLength(3)
    expect(second.results[0]?.judge_scores).toEqual(first.results[0]?.judge_scores)
  })

  it('tells votes and repeats apart in the cache', async () => {
    const folder = folderWith([{ ...JUDGED, votes: 3 }])
    await run(folder, '--cache', '--judge-repeats', '3')
    expect(server.calls).toHaveLength(9)
    await run(folder, '--cache', '--judge-repeats', '3')
    expect(server.calls).toHaveLength(9)
  })

  it('is in the plan', async () => {
    const folder = folderWith([{ ...JUDGED, votes: 3 }, COUNTING], ['a', 'b'])
    const { stdout } = await assay(['eval', '--plan', '--judge-repeats', '4'], { cwd: folder })
    expect(stdout).toContain('2 attempts, at least 24 judge calls')
    expect(server.calls).toHaveLength(0)
  })

  it('says that it has no effect without a model that judges', async () => {
    const folder = folderWith([COUNTING])
    const ended = await run(folder, '--judge-repeats', '2')
    expect(ended.stderr).toContain('--judge-repeats has no effect: no model judges these tests')
    expect(counted(folder)).toBe(1)
    expect(ended.results[0]?.judge_scores).toBeUndefined()
  })

  it.each(['1', '0', '21', 'two', '2.5'])('cannot be %s', async n => {
    const { code, stderr } = await assay(['eval', '--judge-repeats', n], { cwd: folderWith([JUDGED]) })
    expect(code).toBe(2)
    expect(stderr).toContain('--judge-repeats')
    expect(server.calls).toHaveLength(0)
  })

  it('is kept by a resumed run', async () => {
    const folder = folderWith([JUDGED], ['a', 'b', 'c'])
    scores = [0.1]
    await run(folder, '--judge-repeats', '2', '--fail-fast', '--workers', '1')
    expect(resultsIn(folder)).toHaveLength(1)
    await run(folder, '--resume')
    expect(resultsIn(folder).map(({ judge_scores }) => judge_scores?.length)).toEqual([2, 2, 2])
    expect(server.calls).toHaveLength(6)
  })

  it('grades recorded answers several times', async () => {
    const folder = folderWith([JUDGED])
    await run(folder)
    const { code } = await assay(['grade', 'latest', '--judge-repeats', '3'], { cwd: folder })
    expect(code).not.toBe(2)
    expect(resultsIn(folder)[0]?.judge_scores).toHaveLength(3)
    expect(server.calls).toHaveLength(4)
  })

  it('splits the noise into tests, trials and judge calls', async () => {
    const ids = ['a', 'b', 'c', 'd']
    const one = await run(folderWith([JUDGED], ids), '--judge-repeats', '3')
    expect(one.stderr).toMatch(
      /noise of the mean score ±0\.\d\d, on these answers alone ±0\.\d\d: \d+ % from tests and trials, \d+ % from judge calls; more (tests|votes) help most/,
    )
    const folder = folderWith([JUDGED], ids)
    const several = await run(folder, '--judge-repeats', '3', '--trials', '2')
    expect(several.stderr).toMatch(
      /on these tests alone ±0\.\d\d: \d+ % from tests, \d+ % from trials, \d+ % from judge calls; more /,
    )
    const { stdout } = await assay(['report', 'latest', '--format', 'json'], { cwd: folder })
    const { noise } = JSON.parse(stdout).summary.targets[0]
    expect(noise.share_of_tests + noise.share_of_trials + noise.share_of_judge_calls).toBeCloseTo(1)
    expect(noise.half_width).toBeGreaterThanOrEqual(noise.half_width_on_these_tests)
    expect(noise.half_width_on_these_tests).toBeGreaterThanOrEqual(noise.half_width_on_these_answers)
  })
})
