import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { assay } from '../../../support/in-process.ts'
import { judgeFolder, OK, runJudges } from '../../../support/judges/judge-suite.ts'
import { model, say, targetOf } from '../../../support/servers/model-servers.ts'
import { type Server, serve } from '../../../support/servers/server.ts'

const reply = (satisfied: boolean) =>
  JSON.stringify({ items: [{ id: 'rubric-1', satisfied, reasoning: satisfied ? 'kind' : 'rude' }] })

/** Judges by name: `a` is always satisfied, `b` never, `c` by the answer. */
let server: Server
beforeAll(async () => {
  server = await serve((call, response) => {
    const name = call.path.split('/')[1] ?? ''
    if (name === 'down') return say(503, 'no')(call, response)
    const satisfied = name === 'a' || (name !== 'b' && call.body.includes('yes'))
    return model('openai_compatible', { text: reply(satisfied) })(call, response)
  })
})
afterAll(() => server.close())
beforeEach(() => {
  server.calls.length = 0
})

const judges = (...names: string[]) =>
  names.map(name => ({ name, ...targetOf('openai_compatible', `${server.url}/${name}`), retries: 0 }))
const TARGETS = () => [...OK, ...judges('a', 'b', 'c', 'd', 'down')]
const panel = (names: readonly string[], more: object = {}) => ({
  type: 'rubrics',
  criteria: 'Is kind',
  judges: names,
  ...more,
})
const folderWith = (assert: readonly object[], tests: readonly string[] = ['yes', 'no']) =>
  judgeFolder({ tests: tests.map(id => ({ id, input: id, assert })), targets: TARGETS() })

describe('a panel of judges', () => {
  it('decides by majority, is recorded, and is shown in every report', async () => {
    const folder = folderWith([panel(['a', 'b', 'c'])])
    const run = await runJudges(folder)
    expect(run.results.map(({ verdict }) => verdict)).toEqual(['pass', 'fail'])
    expect(run.result('yes')).toMatchObject({ judge_usage: { calls: 3 } })
    expect(run.check('rubrics', 'yes').items?.[0]?.votes?.map(({ judge, satisfied }) => [judge, satisfied])).toEqual([
      ['a', true],
      ['b', false],
      ['c', true],
    ])
    const line = 'judges disagree on 2 of 2 answers: a passes 100 %, b 0 %, c 50 %'
    expect(run.stderr).toContain(line)
    const report = async (format: string) =>
      (await assay(['report', 'latest', '--format', format], { cwd: folder })).stdout
    expect(await report('text')).toContain(line)
    expect((await report('markdown')).replaceAll('\\', '')).toContain(line)
    const { run: info, summary } = JSON.parse(await report('json'))
    expect(summary.targets[0].panel).toEqual({
      answers: 2,
      disputed: 2,
      judges: [
        { judge: 'a', answers: 2, passed: 2 },
        { judge: 'b', answers: 2, passed: 0 },
        { judge: 'c', answers: 2, passed: 1 },
      ],
    })
    expect(info.judges.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c'])
    expect(Object.keys(info.judge_hashes)).toEqual(['a', 'b', 'c'])
    const explained = await assay(['explain', 'latest', 'no'], { cwd: folder })
    expect(explained.stdout).toContain('not satisfied (2 of 3 votes)')
    for (const vote of ['a: satisfied — kind', 'b: not satisfied — rude', 'c: not satisfied — rude'])
      expect(explained.stdout).toContain(vote)
  })

  it('is not replaced by --judge, and the plan counts every vote of every judge', async () => {
    const folder = folderWith([panel(['a', 'b', 'c'], { votes: 3 })])
    const plan = await assay(['eval', '--plan', '--json', '--judge', 'd'], { cwd: folder })
    expect(JSON.parse(plan.stdout)).toMatchObject({ judge_calls: 18 })
    await runJudges(folder, ['--judge', 'd'])
    expect(server.calls).toHaveLength(18)
    expect(server.calls.some(({ path }) => path.startsWith('/d/'))).toBe(false)
  })

  it('is an error if one of its judges is down, never a verdict of the others', async () => {
    const run = await runJudges(folderWith([panel(['a', 'c', 'down'])], ['yes']))
    expect(run.code).toBe(3)
    expect(run.result('yes')).toMatchObject({
      verdict: 'error',
      score: null,
      error: { code: 'judge-no-answer', message: expect.stringContaining('the judge `down` gave no answer') },
      judge_usage: { calls: 2 },
    })
    expect(run.stderr).not.toContain('judges disagree')
  })

  it('is part of the identity: a changed member is another judge', async () => {
    const folder = folderWith([panel(['a', 'b', 'c'])], ['yes'])
    const first = await runJudges(folder)
    const other = await runJudges(folderWith([panel(['a', 'b', 'd'])], ['yes']))
    expect(first.result('yes').judges_hash).not.toBe(other.result('yes').judges_hash)
  })

  it('shares the cache only for the same judge and vote', async () => {
    const folder = folderWith([panel(['a', 'b', 'c']), panel(['b', 'c', 'd'], { name: 'second', votes: 3 })], ['yes'])
    const first = await runJudges(folder, ['--cache'])
    const asked = server.calls.length
    expect(asked).toBeGreaterThanOrEqual(10)
    const again = await runJudges(folder, ['--cache'])
    expect(server.calls).toHaveLength(asked)
    expect(again.results.map(({ score }) => score)).toEqual(first.results.map(({ score }) => score))
    const votesOf = (name: string) => again.check(name).items?.[0]?.votes?.map(({ judge }) => judge)
    expect(votesOf('rubrics')).toEqual(['a', 'b', 'c'])
    expect(votesOf('second')).toEqual(['b', 'b', 'b', 'c', 'c', 'c', 'd', 'd', 'd'])
  })

  it('names an unknown member at its entry of the list', async () => {
    const folder = judgeFolder({
      tests: ['tests.yaml'],
      targets: TARGETS(),
      files: {
        'tests.yaml':
          '- id: x\n  input: x\n  assert:\n    - type: llm_judge\n      judges:\n        - a\n        - nosuch\n        - c\n',
      },
    })
    const { code, stderr } = await assay(['eval'], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr).toMatch(/tests\.yaml:7:11 error unknown-target/)
    expect(stderr).toContain('`nosuch`')
    expect(server.calls).toHaveLength(0)
  })

  it('reports each member that cannot explore folders', async () => {
    const folder = judgeFolder({
      tests: [{ assert: [{ type: 'agent_judge', judges: ['a', 'blind', 'default'] }] }],
      targets: [...TARGETS(), { name: 'blind', provider: 'mock', response: 'x' }],
    })
    const { code, stderr } = await assay(['eval'], { cwd: folder })
    expect(code).toBe(2)
    expect(stderr.match(/judge-cannot-look/g)).toHaveLength(2)
  })
})
