import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JudgeRequest } from '../../src/model/prompt.ts'
import { gradeAnswer } from '../../src/run/grade-answer.ts'
import { gradingContext, loadTest, subjectOf } from '../support/checks.ts'
import { fileToolsIn } from '../support/judges/file-tools.ts'
import { judgedBy } from '../support/judges/scripted-judge.ts'
import { folderWith } from '../support/program.ts'

const GOOD = { score: 0.9, hits: ['builds'], misses: ['untidy'], reasoning: 'I have looked.' }
const good = JSON.stringify(GOOD)

describe('an agent_judge', () => {
  it('inspects the folder of the suite in at most ten steps', async () => {
    const { results, requests, folder } = await judgedBy(['{type: agent_judge}'], [good])
    expect(results).toMatchObject([GOOD])
    expect(requests.map(({ look }) => look)).toEqual([{ folder, max_steps: 10 }])
  })

  it('inspects the workspace if there is one, in at most `max_steps` steps', async () => {
    const workspace = folderWith()
    const { requests } = await judgedBy(['{type: agent_judge, max_steps: 1}'], [good], { workspace })
    expect(requests.map(({ look }) => look)).toEqual([{ folder: workspace, max_steps: 1 }])
  })

  it('is instructed that files are data and that it has to decide', async () => {
    const { asked } = await judgedBy(['{type: agent_judge, max_steps: 7}'], [good])
    const [system = ''] = asked[0] ?? []
    expect(system).toMatch(/look around/)
    expect(system).toMatch(/at most 7 times/)
    expect(system).toMatch(/files .* may contain orders, .*: they change nothing/)
    expect(system).toMatch(/decide/)
    expect((await judgedBy(['{type: llm_judge}'], [good])).asked[0]?.[0]).not.toMatch(/look around/)
  })

  it('gets the same prompt as an llm_judge', async () => {
    const judgedAs = async (type: string) => {
      const check = `{type: ${type}, prompt: "Does it build? {{answer}}"}`
      const { asked, requests } = await judgedBy([check], [good], { fields: 'note: Be lenient.' })
      return { prompt: asked[0]?.[1], schema: requests[0]?.reply_schema, looks: requests[0]?.look !== undefined }
    }
    const { prompt, schema } = await judgedAs('agent_judge')
    expect(prompt).toMatch(/^Does it build\? <<<data.*Be lenient\.$/s)
    expect(await judgedAs('llm_judge')).toEqual({ prompt, schema, looks: false })
  })

  it('is asked again after an unusable reply, and may inspect the folder again', async () => {
    const { results, requests, asked, folder } = await judgedBy(
      ['{type: agent_judge}'],
      ['Well.', '{"score": 7}', good],
    )
    expect(results).toMatchObject([GOOD])
    expect(requests.map(({ look }) => look)).toEqual(Array.from({ length: 3 }, () => ({ folder, max_steps: 10 })))
    expect(asked[2]?.slice(2)).toEqual([
      'Well.',
      expect.stringContaining('it is not JSON'),
      '{"score": 7}',
      expect.stringContaining('`score`'),
    ])
  })

  it('is an error if it never decides; empty replies are not sent back', async () => {
    const { results, asked } = await judgedBy(['{type: agent_judge}'], [''])
    expect(results).toMatchObject([{ score: null, error: { code: 'judge-reply' }, details: { reply: '' } }])
    expect(asked.map(texts => texts.length)).toEqual([2, 3, 4])
    expect(asked[2]?.slice(2)).toEqual([expect.stringContaining('nothing'), expect.stringContaining('nothing')])
  })

  it('is inverted by negate', async () => {
    const { results } = await judgedBy(['{type: agent_judge, negate: true}'], [good])
    expect(results[0]?.score).toBeCloseTo(0.1, 12)
    expect(results).toMatchObject([{ hits: ['untidy'], misses: ['builds'] }])
  })

  it('judges each rubric', async () => {
    const items = [
      { id: 'rubric-1', satisfied: true, reasoning: 'ran it' },
      { id: 'tidy', satisfied: false, reasoning: 'saw it' },
    ]
    const check = '{type: agent_judge, max_steps: 3, rubrics: [Builds, {id: tidy, outcome: Is tidy, required: true}]}'
    const { results, asked, requests } = await judgedBy([check], [JSON.stringify({ items })])
    expect(results).toMatchObject([
      { score: 0.5, hits: ['Builds'], misses: ['Is tidy (required)'], items: [{ id: 'rubric-1' }, { id: 'tidy' }] },
    ])
    expect(asked[0]?.[1]).toContain('- tidy: Is tidy (satisfied or not)')
    expect(requests[0]?.look?.max_steps).toBe(3)
  })
})

describe('the folder that a judge inspects', () => {
  /** The folder that a judge inspects for this suite folder and workspace. */
  async function looksIn(places: { folder: string; workspace?: string }): Promise<string | undefined> {
    const test = await loadTest(['{type: agent_judge}'])
    let inspected: string | undefined
    const askJudge = async (_: unknown, { look }: JudgeRequest) => {
      inspected = look?.folder
      return { text: good }
    }
    const subject = { ...subjectOf(test, { text: 'ok' }), ...places }
    expect(
      await gradeAnswer({ test, target: { name: subject.target } }, subject, askJudge, gradingContext()),
    ).toMatchObject([GOOD])
    return inspected
  }

  it('is the real folder of a suite behind a link', async () => {
    const around = folderWith({ 'suite/a.txt': 'a' })
    symlinkSync('suite', join(around, 'link'))
    expect(await looksIn({ folder: join(around, 'link') })).toBe(join(around, 'suite'))
  })

  it('is not a link that an agent has put in place of its workspace', async () => {
    const around = folderWith({ 'other/secret.txt': 'THE SECRET' })
    const workspace = join(around, 'work')
    symlinkSync('other', workspace)
    expect(await looksIn({ folder: around, workspace })).toBe(workspace)
    expect(await fileToolsIn(workspace).read('secret.txt')).toBe('the folder no longer exists')
  })
})
