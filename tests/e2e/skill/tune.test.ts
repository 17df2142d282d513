import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { proposing, queriesFor, SKILL, tuningProject } from '../../support/tuning.ts'

const GOOD = 'Makes a table, or changes a column: for "csv" files'
const WORSE = 'Does sums'

const apply = (cwd: string) => assay(['skill', 'tune', 'skills/tables', '--apply'], { cwd })

describe('assay skill tune', () => {
  it('finds the words that make the agent use the skill, and writes them only with --apply', async () => {
    const project = await tuningProject({ replies: [proposing('Works with table files', GOOD)] })
    const run = await project.tune()
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.stderr).toContain('agent starts: usually 68, at most 132; each ends at the first tool call')
    expect(run.stderr).toContain('cost: unknown')
    expect(run.stdout).toContain('shown to be better')
    expect(run.stdout).toContain('- Works with csv files\n+ Makes a table, or changes a column: for "csv" files\n')
    expect(run.stdout).toContain('Apply with: assay skill tune skills/tables --apply')
    const starts = project.starts()
    expect(starts).toHaveLength(68)
    expect(starts.some(start => 'is_late' in start)).toBe(false)
    // Where it would find neither the skill nor the queries.
    expect(starts.every(({ cwd }) => !cwd.startsWith(project.folder))).toBe(true)
    expect(readFileSync(project.skill, 'utf8')).toBe(SKILL)
    const again = await project.tune()
    expect({ ...again, stderr: '' }).toEqual({ ...run, stderr: '' })
    expect(project.starts()).toHaveLength(68)
    expect(await apply(project.folder)).toMatchObject({ code: 0 })
    const written = SKILL.replace('Works with csv files', JSON.stringify(GOOD))
    expect(readFileSync(project.skill, 'utf8')).toBe(written)
    expect((await apply(project.folder)).stdout).toContain('has this description already')
  })

  it('refuses a description that only helps the training queries, which is all that the proposer sees', async () => {
    const words = Array.from({ length: 13 }, (_, index) => `topic${index}x`)
    const replies = (asked: string) => {
      const failed = [...asked.matchAll(/(topic\d+x): number/g)].map(([, word]) => word)
      return proposing(`For ${failed.join(', ')}`, WORSE)
    }
    const project = await tuningProject({ queries: queriesFor(words, 13), replies })
    const { code, data, stderr } = await project.tuned()
    expect(code, stderr).toBe(1)
    expect(data.result.status).toBe('not-shown')
    expect(data.result.training.candidate.all.right).toBe(1)
    expect(data.result.held_out).toMatchObject({ difference: 0, verdict: 'inconclusive' })
    const heldOut = data.queries.filter(({ part }: { part: string }) => part === 'held-out')
    expect(heldOut).toHaveLength(10)
    for (const { query } of heldOut) for (const { body } of project.server.calls) expect(body).not.toContain(query)
    const text = await project.tune()
    expect(text.stdout).toContain(
      'not shown to be better on the held-out queries, though it did better on the training queries',
    )
    expect(await apply(project.folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing to apply') })
    expect(readFileSync(project.skill, 'utf8')).toBe(SKILL)
  })

  it('stays within --max-cost, counts unknown costs, and goes on with a higher one', async () => {
    const project = await tuningProject({ replies: [proposing(GOOD, WORSE)] })
    const small = await project.tuned('--max-cost', '0.25', '--workers', '2')
    expect(small, small.stderr).toMatchObject({ code: 3 })
    expect(small.data.incomplete.reason).toBe('budget')
    expect(project.starts().length).toBeLessThanOrEqual(25)
    expect(project.starts().length).toBeGreaterThan(20)
    expect(small.data.spent.estimated_usd).toBeLessThanOrEqual(0.25 + 1e-9)
    const enough = await project.tuned('--max-cost', '1')
    expect(enough, enough.stderr).toMatchObject({ code: 0 })
    expect(project.starts()).toHaveLength(68)
    expect(enough.data.spent.unknown).toBeGreaterThan(0)
    expect(enough.data.spent.estimated_usd).toBeCloseTo(0.68)
  })

  it('stops if --max-cost is given and no cost is known', async () => {
    const project = await tuningProject({
      skill: SKILL.replace('csv', 'poem'),
      replies: [proposing(GOOD)],
      queries: queriesFor(['poem at'], 13).map(each => ({
        ...each,
        query: each.query.replace('poem at', 'poem') + each.should_trigger,
      })),
    })
    const run = await project.tuned('--max-cost', '1', '--workers', '1')
    expect(run, run.stderr).toMatchObject({ code: 3 })
    expect(run.data.incomplete.reason).toBe('budget')
    expect(project.starts()).toHaveLength(5)
  })

  it('shows the plan and asks nothing with --dry-run', async () => {
    const project = await tuningProject({ replies: [''] })
    const run = await project.tune('--dry-run', '--max-cost', '2')
    expect(run.code).toBe(0)
    expect(run.stdout).toContain('26 queries, 16 for training, 10 held out')
    expect(run.stdout).toContain('never above $2.00 (--max-cost)')
    expect(run.stdout).toContain('a difference below 50 % cannot be shown')
    expect(project.starts()).toEqual([])
    expect(project.server.calls).toEqual([])
  })

  it('has nothing to improve if the description is right on all training queries', async () => {
    const skill = SKILL.replace('csv', 'table and column')
    const project = await tuningProject({ skill, replies: [''] })
    const run = await project.tuned()
    expect(run).toMatchObject({ code: 1, data: { result: { status: 'nothing-to-improve' }, starts: 16 } })
    expect(project.server.calls).toEqual([])
  })

  it('does not apply to a SKILL.md that was edited meanwhile', async () => {
    const project = await tuningProject({ replies: [proposing(GOOD)] })
    expect(await project.tune()).toMatchObject({ code: 0 })
    const edited = `${SKILL}More.\n`
    writeFileSync(project.skill, edited)
    const refused = await apply(project.folder)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('was edited since') })
    expect(readFileSync(project.skill, 'utf8')).toBe(edited)
  })
  it('does not repeat the verdict on an agent that was changed since', async () => {
    const project = await tuningProject({ replies: [proposing(GOOD)], target: { depends_on: ['prompt.md'] } })
    const prompt = join(project.folder, 'prompt.md')
    writeFileSync(prompt, 'Be brief.\n')
    expect(await project.tune()).toMatchObject({ code: 0 })
    const starts = project.starts().length
    writeFileSync(prompt, 'Never use skills.\n')
    expect(await project.tune()).toMatchObject({ code: 0 })
    expect(project.starts()).toHaveLength(2 * starts)
  })
})
