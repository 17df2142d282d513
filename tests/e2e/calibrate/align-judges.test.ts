import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AligningProject, aligningProject, GOOD, proposing } from '../../support/aligning.ts'

const PANEL = ['ann', 'ben', 'cleo']

/** Calls to a judge, by the name of its target. */
const callsTo = ({ server }: AligningProject, name: string) =>
  server.calls.filter(({ path }) => path.startsWith(`/${name}/`)).length

describe('assay calibrate --align', () => {
  it('aligns a panel: each judge gets the new text, and the majority decides', async () => {
    const project = await aligningProject({
      tests: 24,
      judges: PANEL,
      check: { prompt: 'judge.md', judges: PANEL },
      proposes: () => proposing(GOOD),
    })
    const run = await project.align('--proposals', '1')
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).toContain('quality, judged by ann, ben, cleo: 24 labelled answers')
    expect(run.stderr).toContain('judgements: usually 48, at most 72, with 3 calls each; no target is asked')
    expect(run.stdout).toContain('144 judge calls')
    // The run, the training answers and the held-out answers with both texts, and a proposal.
    expect(PANEL.map(name => callsTo(project, name))).toEqual([24 + 48 + 1, 24 + 48, 24 + 48])
  })

  it('begins another session if any judge of the panel changes', async () => {
    const project = await aligningProject({
      tests: 24,
      judges: PANEL,
      check: { prompt: 'judge.md', judges: PANEL },
      proposes: () => proposing(GOOD),
    })
    expect(await project.align('--proposals', '1')).toMatchObject({ code: 0 })
    const before = callsTo(project, 'ann')
    const file = join(project.folder, '.assay/targets.yaml')
    const { targets } = JSON.parse(readFileSync(file, 'utf8'))
    const changed = targets.map((target: { name: string }) =>
      target.name === 'cleo' ? { ...target, model: 'other' } : target,
    )
    writeFileSync(file, JSON.stringify({ targets: changed }))
    const again = await project.align('--proposals', '1')
    expect(again.stderr).toContain('1 earlier session of this check looked at held-out labels')
    expect(callsTo(project, 'ann')).toBeGreaterThan(before)
  })

  it('names the judges of all targets, and asks each about the answers that it judges', async () => {
    const project = await aligningProject({
      tests: 24,
      agents: ['one', 'two'],
      judges: ['ann', 'ben'],
      judge_targets: { one: 'ann', two: 'ben' },
      proposes: () => proposing(GOOD),
    })
    const run = await project.align('--proposals', '1')
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).toContain('quality, judged by ann, ben: 48 labelled answers')
    expect([callsTo(project, 'ann'), callsTo(project, 'ben')]).toEqual([24 + 48 + 1, 24 + 48])
  })

  it('aligns a judge that inspects files', async () => {
    const project = await aligningProject({
      tests: 24,
      check: { type: 'agent_judge', prompt: 'judge.md' },
      proposes: () => proposing(GOOD),
    })
    const run = await project.align('--proposals', '1')
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stdout).toContain('shown to be better')
    expect(project.asked('judge').every(asked => asked.includes('"tools"'))).toBe(true)
    expect(project.asked('proposer').every(asked => !asked.includes('"tools"'))).toBe(true)
  })

  it('refuses a check inside a composite, and asks nothing', async () => {
    const evaluators = [{ type: 'llm_judge', name: 'inner' }]
    const check = { type: 'composite', evaluators, aggregator: { type: 'weighted_average' } }
    const project = await aligningProject({ tests: 24, check, proposes: () => '' })
    const run = await project.align()
    expect(run, run.stdout).toMatchObject({ code: 2 })
    expect(run.stderr).toContain('Only checks of type llm_judge, rubrics and agent_judge can be aligned')
    expect(project.asked('judge')).toEqual([])
  })
})
