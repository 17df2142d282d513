import { describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { suiteFolder } from '../../../support/runs.ts'

const IDS = Array.from({ length: 10 }, (_, index) => `t${index}`)

/** Checks of the answer, and of what only the candidate can do. */
const RIGHT = { type: 'contains', value: 'right' }
const USED = { type: 'contains', value: 'used', applies_to: ['candidate'] }
const UNUSED = { type: 'contains', value: 'plain', applies_to: ['control'] }

/** Two arms with these answers to tests with these checks. */
function arms(candidate: string, control: string, assert: readonly object[]): string {
  const targets = Object.entries({ candidate, control }).map(([name, response]) => ({
    name,
    provider: 'mock',
    response,
  }))
  return suiteFolder(
    {
      name: 'arms',
      execution: { targets: ['candidate', 'control'], control: 'control' },
      tests: IDS.map(id => ({ id, criteria: 'Is right', input: id, assert })),
    },
    JSON.stringify({ targets }),
  )
}

const evaluate = (cwd: string, ...args: string[]) => assay(['eval', ...args], { cwd })

describe('arms to which different checks apply', () => {
  it('are not better by a check that only one of them can pass', async () => {
    const cwd = arms('used', 'wrong', [RIGHT, USED])
    const { code, stderr } = await evaluate(cwd, '--require-better')
    expect(stderr).toContain('10 tests compared: 0 improved, 0 worse, 10 the same\n')
    expect(stderr).toContain(
      '10 tests compared by the checks that apply to both: contains-2 does not apply to control\n',
    )
    expect(stderr).toContain('quality gate cannot pass (inconclusive): inconclusive\n')
    expect(code).toBe(4)
  })

  it('are not worse by a required check that only one of them can miss', async () => {
    const { code, stderr } = await evaluate(
      arms('right', 'right', [RIGHT, { ...USED, required: true }]),
      '--fail-on-regression',
    )
    expect(stderr).toContain('10 failed; control arm: 10 passed')
    expect(stderr).toContain('10 tests compared: 0 improved, 0 worse, 10 the same\n')
    expect(code).toBe(0)
  })

  it('are better by the checks that both have', async () => {
    const { code, stderr } = await evaluate(arms('right', 'wrong', [RIGHT, USED]), '--require-better')
    expect(stderr).toContain('improved arms t0 0.00 → 1.00\n')
    expect(stderr).toContain('\nbetter\n')
    expect(code).toBe(0)
  })

  it('are compared without a composite of which only one has every check', async () => {
    const composite = { type: 'composite', assert: [RIGHT, USED], aggregator: { type: 'weighted_average' } }
    const { code, stderr } = await evaluate(arms('used', 'wrong', [RIGHT, composite]), '--require-better')
    expect(stderr).toContain('10 tests compared: 0 improved, 0 worse, 10 the same\n')
    expect(code).toBe(4)
  })

  it.each([
    { title: 'different checks', assert: [USED, UNUSED] },
    { title: 'a composite of different checks', assert: [{ type: 'composite', assert: [USED, UNUSED] }] },
  ])('are not compared by $title only', async ({ assert }) => {
    const { code, stderr } = await evaluate(arms('used', 'wrong', assert), '--require-better')
    expect(stderr).toContain('10 tests not compared, since no check applies to both: ')
    expect(stderr).not.toContain('\nbetter\n')
    expect(code).toBe(5)
  })

  it('are decided by the checks that both have', async () => {
    const useless = await evaluate(arms('used', 'wrong', [RIGHT, { ...USED, weight: 9 }]), '--until-decided')
    expect(useless.stderr).toContain('quality gate inconclusive: nothing is shown about candidate')
    expect(useless.code).toBe(4)
    const helpful = await evaluate(arms('right', 'wrong', [RIGHT, { ...USED, weight: 9 }]), '--until-decided')
    expect(helpful.stderr).toContain('better: candidate against control +1.000')
    expect(helpful.code).toBe(0)
  })

  it('are compared alike when two targets of a run are compared', async () => {
    const cwd = arms('used', 'wrong', [RIGHT, USED])
    await evaluate(cwd)
    const { code, stdout } = await assay(['compare', 'latest', '--control', 'control', '--require-better'], { cwd })
    expect(stdout).toContain('10 tests compared: 0 improved, 0 worse, 10 the same\n')
    expect(code).toBe(4)
    const { stdout: json } = await assay(['report', 'latest', '--format', 'json'], { cwd })
    expect(JSON.parse(json).summary.tests[0]).not.toHaveProperty('results')
  })
})
