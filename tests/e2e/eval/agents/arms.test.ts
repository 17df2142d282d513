import { beforeAll, describe, expect, it } from 'vitest'
import type { EvaluatorResult } from '../../../../src/model/evaluator-result.ts'
import { assay } from '../../../support/in-process.ts'
import type { Result } from '../../../support/program.ts'
import { recordsOf, runInfoOf } from '../../../support/runs.ts'
import { armsFolder, REPORT, TRIGGER } from '../../../support/skill-arms.ts'

describe('a trigger check on arms with and without the skill', () => {
  const cwd = armsFolder([REPORT])
  let run: Result
  beforeAll(async () => {
    run = await assay(['eval'], { cwd })
  })

  /** The results of the checks on a target. */
  const checksOn = (target: string): EvaluatorResult[] =>
    recordsOf(cwd).find(record => record.target === target)?.evaluator_results ?? []

  it('is judged where the target has the skill', () => {
    expect(checksOn('with-skill')).toMatchObject([{ passed: true }, { passed: true, trigger: { triggered: true } }])
  })

  it('is not applicable where it has not, and fails nothing', () => {
    expect(checksOn('without-skill')).toMatchObject([{ passed: true }, { not_applicable: true, score: null }])
    expect(run.code).toBe(0)
  })

  it('counts only for the target that has the skill', () => {
    expect(run.stderr).toContain('csv-report on with-skill: 1 of 1')
    expect(run.stderr).not.toContain('csv-report on without-skill')
    expect(run.stderr).not.toContain('harness suspect')
  })

  it('stays not applicable when the answers are graded again', async () => {
    expect(runInfoOf(cwd).target_skills).toEqual([
      { target: 'with-skill', skills: ['csv-report'] },
      { target: 'without-skill', skills: [] },
    ])
    const graded = await assay(['grade', 'latest'], { cwd })
    expect(graded.code).toBe(0)
    expect(checksOn('without-skill')[1]).toMatchObject({ not_applicable: true })
  })
})

describe('a test of the skill only', () => {
  const UNWANTED = {
    ...TRIGGER,
    id: 'unwanted',
    assert: [{ ...TRIGGER.assert[0], should_trigger: false, negate: true }],
  }

  it('runs only on the target that has the skill, whatever it expects', async () => {
    const cwd = armsFolder([REPORT, TRIGGER, UNWANTED])
    const { stderr } = await assay(['eval'], { cwd })
    expect(recordsOf(cwd).filter(({ target }) => target === 'without-skill')).toMatchObject([{ test_id: 'report' }])
    expect(stderr).toContain('2 tests do not apply to without-skill\n')
  })

  it('is an error before the run if it is the only one', async () => {
    const { code, stderr } = await assay(['eval'], { cwd: armsFolder([TRIGGER]) })
    expect(code).toBe(2)
    expect(stderr).toContain('no test of this suite applies to the target `without-skill`')
  })
})
