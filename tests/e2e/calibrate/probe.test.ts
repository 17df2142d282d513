import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { latestId, runIds } from '../../support/runs.ts'
import { drawByVerdict, edit, evalWorld, labelOf, type WorldFolder, worldFolder, writeLabels } from './judged-world.ts'

async function labelledWorld(flips: number): Promise<WorldFolder> {
  const world = await worldFolder({ answers: 40, flips })
  const results = await evalWorld(world)
  writeLabels(
    world.cwd,
    drawByVerdict(results, 24).map(result => labelOf(result)),
  )
  return world
}

describe('assay calibrate --probe', () => {
  let world: WorldFolder
  beforeAll(async () => {
    world = await labelledWorld(0)
  })

  it('says what it takes, then asks the judge 5 times for each answer, and records no run', async () => {
    const [calls, runs] = [world.server.calls.length, runIds(world.cwd).length]
    const { code, stdout, stderr } = await assay(['calibrate', '--probe'], world)
    expect(code).toBe(0)
    expect(stderr.split('\n')[0]).toBe('probe: judging 20 answers again 5 times: about 100 judge calls, not cached')
    expect(stderr).toContain('probe: round 5 of 5\n')
    expect(world.server.calls.length - calls).toBe(100)
    expect(runIds(world.cwd)).toHaveLength(runs)
    expect(stdout).toContain('consistency: two calls agree in 100 %; 0 of 20 answers got different verdicts in 5 calls')
    expect(stdout).toContain('position: unknown, the run has no pairs')
  })

  it('asks for as many answers as wanted, and prints the probes as JSON', async () => {
    const calls = world.server.calls.length
    const { stdout } = await assay(['calibrate', '--probe', '--probe-answers', '4', '--json'], world)
    expect(world.server.calls.length - calls).toBe(20)
    const [probe] = JSON.parse(stdout).probes
    expect(probe).toMatchObject({ suite: 'world', judges: ['grader'], measured_answers: 24 })
    expect(probe).not.toHaveProperty('orders')
    expect(probe.consistency).toMatchObject({ calls: 5, answers: 4, errors: 0 })
  })

  it('is not in the calibration, which stays the same', async () => {
    const { stdout } = await assay(['calibrate', '--probe', '--probe-answers', '1'], world)
    expect(stdout).toContain('is up to date')
  })

  it('needs --probe for --probe-answers', async () => {
    const { code, stderr } = await assay(['calibrate', '--probe-answers', '4'], world)
    expect([code, stderr]).toEqual([2, '--probe-answers needs --probe.\n'])
  })

  it('finds a judge that changes its mind', async () => {
    const fickle = await labelledWorld(0.3)
    const { stdout } = await assay(['calibrate', '--probe', '--json'], fickle)
    const { consistency } = JSON.parse(stdout).probes[0].consistency
    expect(consistency.agreement_of_two_calls).toBeGreaterThan(0.4)
    expect(consistency.agreement_of_two_calls).toBeLessThan(0.75)
    expect(consistency.answers_that_flip).toBeGreaterThan(8)
  })

  it('finds a judge that prefers the first place, from the pairs of the run', async () => {
    const folder = join(world.cwd, '.assay/runs', latestId(world.cwd), 'results.jsonl')
    const lines = readFileSync(folder, 'utf8').trimEnd().split('\n')
    const paired = lines.map((line, index) => {
      const result = JSON.parse(line)
      const biased = { against: 'expected_output', answer_first: 'answer', answer_second: 'other' }
      const fair = { ...biased, answer_second: 'answer' }
      result.evaluator_results[0].pair = index < 12 ? biased : fair
      return JSON.stringify(result)
    })
    writeFileSync(folder, `${paired.join('\n')}\n`)
    const { stdout } = await assay(['calibrate', '--probe', '--probe-answers', '1'], world)
    expect(stdout).toMatch(
      /position: 70 % \[55–82\] of 40 pairs do not depend on the order; the first place won both orders 12 times, the second 0 times \(p < 0\.001\)/,
    )
  })

  it('leaves out answers whose checks have changed since the run', async () => {
    edit(world.cwd, 'EVAL.yaml', text => text.replaceAll('"type":"llm_judge"', '"type":"llm_judge","weight":2'))
    const calls = world.server.calls.length
    const { stdout, stderr } = await assay(['calibrate', '--probe'], world)
    expect(stderr).toContain(
      'probe: 40 answers left out, since the test, its checks or its judge changed after the run\n',
    )
    expect(stdout).toContain('consistency: unknown, no answer was judged again')
    expect(world.server.calls.length).toBe(calls)
  })

  it('counts answers that the judge could not judge', async () => {
    const broken = await labelledWorld(0)
    await broken.server.close()
    const { code, stdout } = await assay(['calibrate', '--probe', '--probe-answers', '2'], broken)
    expect(code).toBe(0)
    expect(stdout).toContain('consistency: unknown, no answer was judged again; 2 answers could not be judged')
  })
})
