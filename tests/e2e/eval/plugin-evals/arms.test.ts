import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate } from '../../../support/evaluation.ts'
import { assay } from '../../../support/in-process.ts'
import { PLUGIN_TARGETS, pluginWith } from '../../../support/plugin-evals.ts'
import { folderWith } from '../../../support/program.ts'
import { resultsIn } from '../../../support/suite-run.ts'

const SKILL = { type: 'tool_used', tool: 'Skill' }
const USES_SKILL = [{ tool: 'Skill', input: { skill: 'sample:commit-style' } }, { text: 'fix(login): time out later' }]

describe('assay eval PLUGIN', () => {
  let run: Evaluated
  const verdicts = (id: string) =>
    run.all.filter(({ test_id }) => test_id === id).map(({ target, trial, verdict }) => [target, trial, verdict])

  beforeAll(async () => {
    const folder = pluginWith({
      ablation: {
        settings: { runs: 2, tags: ['smoke'] },
        script: { with: USES_SKILL, without: [{ text: 'Fixed the login' }] },
        graders: { 'house-style': { type: 'regex', pattern: 'fix\\(login\\): ' }, 'skill-fired': SKILL },
      },
      'only-the-skill': {
        settings: { runs: 1 },
        script: { with: [{ text: 'no skill' }], without: [] },
        graders: { 'skill-fired': SKILL },
      },
      'below-the-threshold': {
        settings: { runs: 1 },
        script: [{ text: 'a' }],
        graders: { a: { type: 'regex', pattern: 'a', weight: 9 }, b: { type: 'regex', pattern: 'b' } },
      },
    })
    run = await evaluate(folder, ['.'])
  })

  it('runs both arms as often as the case says, and the control arm does not decide', () => {
    expect(verdicts('ablation').sort()).toEqual([
      ['with-plugin', 1, 'pass'],
      ['with-plugin', 2, 'pass'],
      ['without-plugin', 1, 'fail'],
      ['without-plugin', 2, 'fail'],
    ])
    expect(run.stderr).toContain('without-plugin')
  })

  it('does not score a grader of the skill beside others, and grades only the arm with the plugin', () => {
    const gradesOn = (arm: string) =>
      run.all
        .find(({ test_id, target }) => test_id === 'ablation' && target === arm)
        ?.evaluator_results?.map(({ name, score, weight }) => [name, score, weight])
    expect(gradesOn('with-plugin')).toEqual([
      ['house-style', 1, 1],
      ['skill-fired', 1, 0],
    ])
    expect(gradesOn('without-plugin')).toEqual([
      ['house-style', 0, 1],
      ['skill-fired', null, 0],
    ])
  })

  it('scores graders of the skill where a case has no others, only with the plugin', () => {
    expect(verdicts('only-the-skill')).toEqual([['with-plugin', 1, 'fail']])
  })

  it('passes a case only with a score of 1', () => {
    expect(verdicts('below-the-threshold')).toEqual([
      ['with-plugin', 1, 'fail'],
      ['without-plugin', 1, 'fail'],
    ])
    expect(run.code).toBe(1)
  })
})

describe('targets of plugin evals', () => {
  const CASE = {
    settings: { runs: 1 },
    script: { with: USES_SKILL, without: [{ text: 'fix(login): x' }] },
    graders: { style: { type: 'regex', pattern: '^fix\\(' }, skill: SKILL },
  }

  it('scores every grader where --target names one arm, also when it is graded again', async () => {
    const folder = pluginWith({ one: CASE })
    const run = await evaluate(folder, ['.', '--target', 'with-plugin'])
    expect(run.all.map(({ target, verdict }) => [target, verdict])).toEqual([['with-plugin', 'pass']])
    const weights = () => resultsIn(folder).flatMap(each => each.evaluator_results?.map(({ weight }) => weight))
    expect(weights()).toEqual([1, 1])
    expect((await assay(['grade', 'latest'], { cwd: folder })).code).toBe(0)
    expect(weights()).toEqual([1, 1])
  })

  it('takes a target of the targets file', async () => {
    const { targets } = JSON.parse(PLUGIN_TARGETS)
    const other = { ...targets[0], name: 'other' }
    const folder = pluginWith({ one: CASE }, { '.assay/targets.yaml': JSON.stringify({ targets: [other] }) })
    const run = await evaluate(folder, ['.', '--target', 'other'])
    expect(run.all.map(({ target, verdict }) => [target, verdict])).toEqual([['other', 'pass']])
    expect(run.all[0]?.evaluator_results?.map(({ name, score }) => [name, score])).toEqual([
      ['skill', 1],
      ['style', 1],
    ])
  })

  it('needs no targets file', async () => {
    const folder = pluginWith({ one: CASE })
    rmSync(join(folder, '.assay'), { recursive: true })
    const bin = folderWith({})
    symlinkSync(join(import.meta.dirname, '../../../support/plugin-agent.mjs'), join(bin, 'claude'))
    const run = await evaluate(folder, ['.'], { PATH: `${bin}:${process.env['PATH']}` })
    expect(run.all.map(({ target, verdict }) => [target, verdict]).sort()).toEqual([
      ['with-plugin', 'pass'],
      ['without-plugin', 'pass'],
    ])
  })
})
