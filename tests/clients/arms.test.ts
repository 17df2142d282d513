import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Evaluated, evaluate } from '../support/evaluation.ts'
import { folderWith } from '../support/program.ts'
import { runInfoOf } from '../support/runs.ts'
import type { ModelServer } from './agent-servers.ts'
import { offersSkill, salesModel, salesProject } from './sales-suite.ts'

const BOTH = { targets: ['with-skill', 'without-skill'], control: 'without-skill' }

let model: ModelServer

/** Runs the sales suite with the real client, and returns the requests that its model got. */
async function sales(cwd: string, ...args: string[]): Promise<Evaluated & Pick<ModelServer, 'requests'>> {
  const before = model.requests.length
  const run = await evaluate(cwd, args, { HOME: folderWith() })
  return { ...run, requests: model.requests.slice(before) }
}

/** The checks of each attempt on a target. */
function checksOn(target: string, { all }: Evaluated) {
  return all.filter(result => result.target === target).map(result => result.evaluator_results)
}

/** The attempts as `verdict target`, counted, with a mark for the control arm. */
function verdictsOf({ all }: Evaluated): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { target, control, verdict } of all) {
    const name = `${verdict} ${target}${control ? ' (control)' : ''}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

beforeAll(async () => {
  model = await salesModel()
})

afterAll(() => model.close())

describe('the real Claude Code with and without a skill', () => {
  let run: Awaited<ReturnType<typeof sales>>
  beforeAll(async () => {
    run = await sales(salesProject(model, BOTH), '--require-better')
  })

  it('records the attempts of both arms', () => {
    expect(verdictsOf(run)).toEqual({
      'pass with-skill': 8,
      'pass without-skill (control)': 2,
      'fail without-skill (control)': 6,
    })
  })

  it('offers the skill to the model on one arm only', () => {
    // The first turn of the control arm is its last.
    expect(run.requests.filter(({ messages }) => !offersSkill(messages))).toHaveLength(8)
    expect(run.requests.filter(({ messages }) => offersSkill(messages))).toHaveLength(16)
  })

  it('checks the trigger only where the skill is', () => {
    for (const checks of checksOn('with-skill', run))
      expect(checks[1]).toMatchObject({ passed: true, trigger: { triggered: true } })
    for (const checks of checksOn('without-skill', run))
      expect(checks[1]).toMatchObject({ not_applicable: true, score: null })
    expect(run.stderr).toContain('sales on with-skill: 8 of 8 correct')
  })

  it('shows that the skill helps', () => {
    expect(run.stderr).toContain('\nDoes it help? with-skill against the control arm without-skill\n')
    expect(run.stderr).toContain('\narms differ in: skills\n')
    expect(run.stderr).toContain('8 tests compared: 6 improved, 0 worse, 2 the same\n')
    expect(run.stderr).toContain('\nbetter\nquality gate passed\n')
    expect(run.code).toBe(0)
  })
})

describe('the real Claude Code with --ablate skills', () => {
  it('is compared with a copy of itself without the skill', async () => {
    const cwd = salesProject(model, { target: 'with-skill' })
    const run = await sales(cwd, '--ablate', 'skills', '--require-better')
    const control = 'with-skill-without-skills'
    expect(verdictsOf(run)).toEqual({
      'pass with-skill': 8,
      [`pass ${control} (control)`]: 2,
      [`fail ${control} (control)`]: 6,
    })
    for (const checks of checksOn(control, run)) expect(checks[1]).toMatchObject({ not_applicable: true })
    expect(runInfoOf(cwd).arms).toEqual([{ target: 'with-skill', control, differs_in: ['skills'] }])
    expect(run.stderr).toContain(`\nDoes it help? with-skill against the control arm ${control}\n`)
    expect(run.stderr).toContain('\narms differ in: skills\n')
    expect(run.stderr).toContain('\nbetter\nquality gate passed\n')
    expect(run.code).toBe(0)
  })
})

describe('the real Claude Code with a useless skill', () => {
  it('is not better because it used the skill', async () => {
    const run = await sales(salesProject(model, BOTH, 'useless'), '--require-better')
    for (const checks of checksOn('with-skill', run)) expect(checks[1]).toMatchObject({ trigger: { triggered: true } })
    expect(run.stderr).toContain('8 tests compared: 0 improved, 0 worse, 8 the same\n')
    expect(run.stderr).toContain('quality gate cannot pass (inconclusive): inconclusive\n')
    expect(run.code).toBe(4)
  })
})

describe('the real Claude Code with --until-decided', () => {
  it('stops when the skill is shown to help', async () => {
    const cwd = salesProject(model, BOTH)
    const run = await sales(cwd, '--until-decided', '--seed', '1')
    const { decisions = [], late_attempts = [] } = runInfoOf(cwd)
    const [decision] = decisions
    expect(decisions).toMatchObject([{ target: 'with-skill', decision: 'better', of: 40, worsened: 0 }])
    expect(decision?.after).toBeLessThan(20)
    expect(run.all).toHaveLength(2 * (decision?.after ?? 0) + late_attempts.length)
    expect(run.stderr).toContain('\nquality gate passed: with-skill is better\n')
    expect(run.code).toBe(0)
  })
})
