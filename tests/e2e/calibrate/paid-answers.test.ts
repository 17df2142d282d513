import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AligningOptions, type AligningProject, aligningProject, GOOD, proposing } from '../../support/aligning.ts'
import { assay } from '../../support/in-process.ts'
import { recordsOf } from '../../support/runs.ts'

/** Answers that cost 10 dollars each, and judgements that cost a cent. */
const paidProject = (options: Partial<AligningOptions> = {}) =>
  aligningProject({
    ...{ tests: 24, agents: ['agent-1'], answer_usd: 10, usage: { input: 5_000, output: 5_000 } },
    proposes: () => proposing(GOOD),
    ...options,
  })

/** Sets the budget of the suite, after its run. */
function setBudget({ folder }: AligningProject, budget_usd: number): void {
  const file = join(folder, 'EVAL.yaml')
  const suite = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...suite, execution: { budget_usd } }))
}

const grade = ({ folder }: AligningProject) =>
  assay(['grade', 'latest', '--suite', 'EVAL.yaml', '--workers', '1', '--quiet'], { cwd: folder })

describe('recorded answers, which are paid already', () => {
  it('do not count against the budget of a suite in assay grade', async () => {
    const project = await paidProject()
    expect(recordsOf(project.folder)[0]?.cost_usd).toBeCloseTo(10)
    setBudget(project, 1)
    const run = await grade(project)
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(recordsOf(project.folder)).toHaveLength(24)
    expect(project.asked('judge')).toHaveLength(24)
  })

  it('leave judgements to count against it', async () => {
    const project = await paidProject()
    setBudget(project, 0.05)
    const run = await grade(project)
    expect(run, run.stderr).toMatchObject({ code: 3 })
    expect(project.asked('judge')).toHaveLength(5)
  })

  it('do not count against --max-cost in assay calibrate --align, and judgements do', async () => {
    const project = await paidProject()
    const small = await project.aligned('--proposals', '1', '--workers', '1', '--max-cost', '0.1')
    expect(small, small.stderr).toMatchObject({ code: 3, data: { incomplete: { reason: 'budget' } } })
    expect(project.asked('judge')).toHaveLength(10)
    const enough = await project.aligned('--proposals', '1', '--max-cost', '0.5')
    expect(enough, enough.stderr).toMatchObject({ code: 0, data: { totals: { calls: 48 } } })
    expect(enough.data.totals.known_usd).toBeCloseTo(0.49)
    expect(project.server.calls.filter(({ path }) => path.startsWith('/agent-1/'))).toHaveLength(24)
  })

  it('do not count against the budget of a suite in assay calibrate --align, and judgements do', async () => {
    const project = await paidProject()
    setBudget(project, 0.05)
    const small = await project.align('--proposals', '1', '--workers', '1')
    expect(small, small.stderr).toMatchObject({ code: 3 })
    expect(small.stdout).toContain('`budget_usd` of the suite or a test is spent')
    expect(small.stdout).not.toContain('a higher --max-cost')
    expect(project.asked('judge')).toHaveLength(5)
    setBudget(project, 1)
    expect(await project.align('--proposals', '1')).toMatchObject({ code: 0 })
    expect(project.asked('judge')).toHaveLength(48)
  })
})
