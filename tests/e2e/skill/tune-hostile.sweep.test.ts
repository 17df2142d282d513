import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay } from '../../support/in-process.ts'
import { proposing, queriesFor, SKILL, tuningProject } from '../../support/tuning.ts'

const GOOD = 'Makes a table, or changes a column'

describe('assay skill tune', () => {
  it('asks again for descriptions that cannot be used, and says why', async () => {
    const bad = ['', 'x'.repeat(1025), 'a <b> table column', 'two\nlines', 'Works with csv files']
    const project = await tuningProject({ replies: ['no JSON here', proposing(...bad), `Here: ${proposing(GOOD)}`] })
    const run = await project.tuned()
    expect(run, run.stderr).toMatchObject({ code: 0 })
    expect(run.data.rounds[0].rejected.map(({ reason }: { reason: string }) => reason)).toEqual([
      'it is empty',
      'it is longer than 1024 characters',
      'it has angle brackets',
      'it has more than one line',
      'it was tried already',
    ])
    expect(run.data.rounds[0].calls).toBe(3)
  })

  it('is not finished if the proposer gives only garbage, and asks again the next time', async () => {
    const project = await tuningProject({ replies: ['a', '{"descriptions": 1}', '[]', proposing(GOOD)] })
    const run = await project.tune()
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining('proposed no description that can be used') })
    expect(project.starts()).toHaveLength(16)
    expect(await project.tune()).toMatchObject({ code: 0 })
  })

  it('does not take crashes of the agent for queries that do not use the skill', async () => {
    const all = await tuningProject({ replies: [proposing(GOOD)], env: { TRIGGER_CRASH: 'number' } })
    const run = await all.tune()
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining('16 of 16 attempts ended in an error') })
    expect(all.server.calls).toEqual([])
    const some = await tuningProject({ replies: [proposing(GOOD)], env: { TRIGGER_CRASH: 'poem: number 1' } })
    const { data } = await some.tuned()
    const { held_out, training } = data.result
    expect(training.current.errors + held_out.current.errors).toBe(4)
  })

  it('makes attempts again that never reached the agent', async () => {
    const project = await tuningProject({ replies: [proposing(GOOD)], target: { command: './agent.sh' } })
    const run = await project.tune()
    expect(run).toMatchObject({ code: 3, stdout: expect.stringContaining('did not reach the agent') })
    const agent = readFileSync(join(import.meta.dirname, '../../support/trigger-agent.sh'))
    writeFileSync(join(project.folder, 'agent.sh'), agent, { mode: 0o755 })
    expect(await project.tune()).toMatchObject({ code: 0 })
  })

  it.each([
    [
      'only positive queries',
      queriesFor(['table'], 13).filter(each => each.should_trigger),
      'always triggers would win',
    ],
    ['too few queries', queriesFor(['table'], 4), 'no description could be shown to be better'],
    [
      'a query with both labels',
      [...queriesFor(['table'], 13), { query: 'TABLE:  number 0', should_trigger: false }],
      'should trigger the skill, and should not',
    ],
  ])('refuses %s before it asks anything', async (_, queries, message) => {
    const project = await tuningProject({ queries, replies: [''] })
    expect(await project.tune()).toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    expect(project.starts()).toEqual([])
  })

  it('leaves out repeated queries, which would be in both parts', async () => {
    const queries = queriesFor(['table'], 13)
    const again = queries.map(each => ({ ...each, query: ` ${each.query.toUpperCase()}\n` }))
    const project = await tuningProject({ queries: [...queries, ...again], replies: [''] })
    const run = await project.tuned('--dry-run')
    expect(run.data.plan).toMatchObject({ training: 16, held_out: 10, repeated_queries: 26 })
  })

  it('runs a session once at a time', async () => {
    const project = await tuningProject({ replies: [proposing(GOOD)], env: { TRIGGER_PAUSE: '0.1' } })
    const runs = await Promise.all([project.tune(), project.tune()])
    expect(runs.map(({ code }) => code).sort()).toEqual([0, 2])
    expect(runs.find(({ code }) => code === 2)?.stderr).toContain('is running already')
    expect(project.starts()).toHaveLength(52)
  })

  it.each([
    ['quotes and a colon', 'table: "column" and \'more\' # not a comment'],
    ['Unicode', 'Tabellen – table, column, 表 🎉'],
    ['YAML', '- table & column: *all*'],
  ])('applies a description with %s', async (_, description) => {
    const project = await tuningProject({ replies: [proposing(description)] })
    expect(await project.tune()).toMatchObject({ code: 0 })
    await assay(['skill', 'tune', 'skills/tables', '--apply'], { cwd: project.folder })
    const checked = await assay(['skill', 'check', 'skills', '--json'], { cwd: project.folder })
    expect(checked.stdout).not.toContain('bad-yaml')
    expect(readFileSync(project.skill, 'utf8')).toContain('\nlicense: MIT # as is\n---\n# Tables\n')
  })

  it('refuses targets that are not coding agents, and skills without a description', async () => {
    const project = await tuningProject({ replies: [''] })
    const judge = await project.tune('--target', 'judge')
    expect(judge).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a coding agent with skills') })
    mkdirSync(join(project.folder, 'skills/empty'))
    writeFileSync(join(project.folder, 'skills/empty/SKILL.md'), SKILL.replace(/description.*\n/, ''))
    const none = await assay(['skill', 'tune', 'skills/empty', '--queries', 'queries.json'], { cwd: project.folder })
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('has no `description`') })
    const missing = await assay(['skill', 'tune', 'skills/none', '--queries', 'queries.json'], { cwd: project.folder })
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a skill') })
  })
})
