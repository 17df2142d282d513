import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { calibrationSchema } from '../../../src/model/calibration.ts'
import type { Result } from '../../../src/model/result.ts'
import { assay } from '../../support/in-process.ts'
import {
  drawByVerdict,
  evalWorld,
  isRight,
  labelOf,
  type WorldFolder,
  worldFolder,
  writeLabels,
} from './judged-world.ts'

describe('assay calibrate with 1,000 answers and 60 labels', () => {
  let world: WorldFolder
  let results: Result[]

  beforeAll(async () => {
    world = await worldFolder({ answers: 1000, pass_rate: 0.9 })
    results = await evalWorld(world)
    writeLabels(
      world.cwd,
      drawByVerdict(results, 60).map(result => labelOf(result)),
    )
  }, 120_000)

  it('prints figures whose intervals contain the truth', async () => {
    const { code, stdout, stderr } = await assay(['calibrate', '--json'], world)
    expect([code, stderr]).toEqual([0, ''])
    const [suite] = JSON.parse(stdout).suites
    const [{ judges, figures }] = suite.judge_sets
    const truth = truthOf(results)
    expect(judges).toEqual(['grader'])
    for (const name of ['sensitivity', 'specificity', 'agreement'] as const) {
      const { low, high } = figures[name].interval
      expect(truth[name], name).toBeGreaterThanOrEqual(low)
      expect(truth[name], name).toBeLessThanOrEqual(high)
    }
    const [{ judge_alone, corrected }] = figures.targets
    expect(corrected.interval.low).toBeLessThanOrEqual(truth.pass_rate)
    expect(corrected.interval.high).toBeGreaterThanOrEqual(truth.pass_rate)
    expect(judge_alone.interval.high).toBeLessThan(truth.pass_rate)
  })

  it('does not mistake the shares of the labels for those of the run', async () => {
    const { stdout } = await assay(['calibrate', '--json'], world)
    const { figures } = JSON.parse(stdout).suites[0].judge_sets[0]
    const truth = truthOf(results)
    expect(Math.abs(figures.sensitivity.value - truth.sensitivity)).toBeLessThan(0.05)
    expect(figures.of_labels_alone.sensitivity.interval.high).toBeLessThan(truth.sensitivity)
  })

  it('prints the figures for people, with what the labels cannot say', async () => {
    const { stdout } = await assay(['calibrate'], world)
    expect(stdout).toMatch(
      /^world, judged by grader\n60 labels by 1 person on 60 answers to 60 tests; 940 of 1000 judged attempts have no label\n/,
    )
    expect(stdout).toMatch(/ sensitivity +\d\d % \[\d\d–\d\d\]/)
    expect(stdout).toMatch(/ κ +0\.\d\d \[0\.\d\d–0\.\d\d\]/)
    expect(stdout).toMatch(
      /\ndefault +\d\d % \[\d\d–\d\d\] +\d\d % \[\d\d–\d\d\] +\d\d % \[\d\d–\d\d\] +60 +\d+ labels\n/,
    )
    expect(stdout).toContain('no answer is labelled by two people')
  })

  it('writes one calibration, and leaves it alone while nothing changes', async () => {
    const folder = join(world.cwd, '.assay/calibration')
    const [file = '', ...others] = readdirSync(folder)
    expect(others).toEqual([])
    const text = readFileSync(join(folder, file), 'utf8')
    const calibration = calibrationSchema().parse(JSON.parse(text))
    expect(file).toBe(`${calibration.fingerprint}.json`)
    expect(calibration.labelled).toHaveLength(60)
    expect(calibration.strata.map(({ answers }) => answers).reduce((sum, each) => sum + each)).toBe(1000)
    expect(calibration.strata.map(({ labels }) => labels)).toEqual([30, 30])
    expect(text.split('\n').filter(line => line.startsWith('    {"test_id":'))).toHaveLength(60)
    const { stdout } = await assay(['calibrate', '--judge', 'grader'], world)
    expect(stdout).toContain(`.assay/calibration/${file} is up to date`)
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text)
  })
})

function truthOf(results: readonly Result[]) {
  const share = (isPart: (result: Result) => boolean, all: readonly Result[]) => all.filter(isPart).length / all.length
  const passes = ({ verdict }: Result) => verdict === 'pass'
  return {
    sensitivity: share(passes, results.filter(isRight)),
    specificity: share(
      result => !passes(result),
      results.filter(result => !isRight(result)),
    ),
    agreement: share(result => passes(result) === isRight(result), results),
    pass_rate: share(isRight, results),
  }
}
