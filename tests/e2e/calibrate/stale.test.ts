import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { latestId } from '../../support/runs.ts'
import {
  drawByVerdict,
  edit,
  evalWorld,
  LABELS,
  labelOf,
  type WorldFolder,
  worldFolder,
  writeLabels,
} from './judged-world.ts'

const calibrations = (cwd: string) => readdirSync(join(cwd, '.assay/calibration')).sort()

/** A world with a calibration. */
async function calibratedWorld(): Promise<WorldFolder & { run: string }> {
  const world = await worldFolder({ answers: 40 })
  const results = await evalWorld(world)
  writeLabels(
    world.cwd,
    drawByVerdict(results, 24).map(result => labelOf(result)),
  )
  await assay(['calibrate'], world)
  return { ...world, run: latestId(world.cwd) }
}

describe('a calibration becomes stale', () => {
  it.each([
    [
      'the model of the judge',
      '.assay/targets.yaml',
      'judge-1',
      'judge-2',
      'another judge, or its model or settings changed',
    ],
    [
      'the system prompt of the judge',
      '.assay/targets.yaml',
      '"retries":0',
      '"retries":0,"system_prompt":"Be strict."',
      'another judge',
    ],
    [
      'the prompt',
      'EVAL.yaml',
      '"type":"llm_judge"',
      '"type":"llm_judge","prompt":"Judge {{question}} {{answer}}"',
      'checks changed or were added',
    ],
    ['the rubric', 'EVAL.yaml', '"type":"llm_judge"', '"type":"llm_judge","weight":2', 'checks changed or were added'],
  ])(
    'when %s changes, and that is said',
    async (_what, file, from, to, reason) => {
      const { cwd, run } = await calibratedWorld()
      edit(cwd, file, text => text.replaceAll(from, to))
      await assay(['grade', run, '--quiet'], { cwd })
      const { code, stdout } = await assay(['calibrate'], { cwd })
      expect(code).toBe(0)
      expect(stdout).toContain('24 labels by 1 person on 24 answers')
      expect(stdout).toMatch(new RegExp(`stale: the calibration of run ${run} does not hold here \\(${reason}`))
      expect(calibrations(cwd)).toHaveLength(2)
      const before = await assay(['calibrate', run], { cwd })
      expect(before.stdout).not.toContain(`stale: the calibration of run ${run} `)
    },
    30_000,
  )

  it('when labels that it was made from are changed', async () => {
    const world = await calibratedWorld()
    const corrected = async () => (await assay(['report', world.run], world)).stdout
    expect(await corrected()).toContain('corrected by 24 labels')
    const labels = readFileSync(join(world.cwd, LABELS), 'utf8')
    writeFileSync(join(world.cwd, LABELS), labels.replace('"label":"pass"', '"label":"fail"'))
    expect(await corrected()).toContain(
      `no corrected pass rate: the calibration of world is stale, since labels were changed or removed; run \`assay calibrate ${world.run}\``,
    )
    await assay(['calibrate', world.run], world)
    expect(await corrected()).toContain('corrected by 24 labels')
  }, 30_000)

  it('when a variable gives the judge another model', async () => {
    const world = await worldFolder({ answers: 40 })
    edit(world.cwd, '.assay/targets.yaml', text => text.replaceAll('"judge-1"', '"${{ JUDGE_MODEL }}"'))
    writeFileSync(join(world.cwd, '.env'), 'JUDGE_MODEL=judge-1\n')
    const results = await evalWorld(world)
    writeLabels(
      world.cwd,
      drawByVerdict(results, 24).map(result => labelOf(result)),
    )
    await assay(['calibrate'], world)
    const run = latestId(world.cwd)
    writeFileSync(join(world.cwd, '.env'), 'JUDGE_MODEL=judge-2\n')
    await assay(['grade', run, '--quiet'], world)
    const { stdout } = await assay(['calibrate'], world)
    expect(stdout).toContain(`stale: the calibration of run ${run} does not hold here (another judge`)
    expect(stdout).toContain('judged by grader')
  }, 30_000)
})

describe('a calibration file', () => {
  let world: WorldFolder & { run: string }
  let path: string
  beforeAll(async () => {
    world = await calibratedWorld()
    path = join(world.cwd, '.assay/calibration', calibrations(world.cwd)[0] ?? '')
  })

  it('with more labelled answers, of another run, is kept', async () => {
    const text = readFileSync(path, 'utf8')
    await evalWorld(world)
    writeLabels(
      world.cwd,
      drawByVerdict(await evalWorld(world), 12).map(result => labelOf(result)),
    )
    const { code, stdout } = await assay(['calibrate'], world)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(`kept \\.assay/calibration/.*: it has more labelled answers, of run ${world.run}`),
    )
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  it('of the same run is replaced by fewer labels', async () => {
    const { stdout } = await assay(['calibrate', world.run], world)
    expect(stdout).toContain('wrote .assay/calibration/')
    expect(JSON.parse(readFileSync(path, 'utf8')).labelled).toHaveLength(12)
  })

  it('that is damaged is an error that names it', async () => {
    writeFileSync(path, '{"assay_calibration": 1}')
    const { code, stderr } = await assay(['calibrate'], world)
    expect(code).toBe(2)
    expect(stderr).toContain('this is not a calibration')
  })
})
