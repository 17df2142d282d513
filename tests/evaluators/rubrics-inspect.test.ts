import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../../src/model/answer.ts'
import type { JudgeRequest } from '../../src/model/prompt.ts'
import { gradeTest, gradingContext, loadTest } from '../support/checks.ts'
import { folderWith } from '../support/program.ts'

const CHECK = '{type: rubrics, criteria: The chart is in a PNG file, inspect: true}'
const REPLY = JSON.stringify({ items: [{ id: 'rubric-1', satisfied: true, reasoning: 'chart.png is there' }] })

interface Case {
  readonly check?: string
  readonly looks?: boolean
  readonly workspace?: string
  readonly answer?: Partial<Answer>
}

/** Judges an answer, and returns the folder that the judge inspects. */
async function judge({ check = CHECK, looks = true, workspace, answer }: Case) {
  const requests: JudgeRequest[] = []
  const askJudge = async (_: unknown, request: JudgeRequest) => {
    requests.push(request)
    return { text: REPLY }
  }
  const context = gradingContext({ judgeLooks: () => looks })
  const [result] = await gradeTest(await loadTest([check]), { text: 'Done', ...answer }, context, askJudge, workspace)
  return { result, look: requests[0]?.look, asked: requests.length }
}

describe('rubrics with inspect', () => {
  it('let the judge look at the workspace', async () => {
    const workspace = folderWith({ 'chart.png': 'x' })
    const { result, look } = await judge({ workspace })
    expect(look).toEqual({ folder: workspace, max_steps: 10 })
    expect(result).toMatchObject({ score: 1, items: [{ reasoning: 'chart.png is there' }] })
    expect(result?.reasoning).toBeUndefined()
  })

  it('say that a judge which cannot inspect files saw the answer alone', async () => {
    const { result, look } = await judge({ workspace: folderWith({}), looks: false })
    expect(look).toBeUndefined()
    expect(result?.reasoning).toBe('judged by the answer alone: the judge cannot inspect the workspace')
  })

  it('say that a target without a workspace was judged by the answer alone', async () => {
    const { result, look } = await judge({})
    expect(look).toBeUndefined()
    expect(result?.reasoning).toBe('judged by the answer alone: the target has no workspace')
  })

  it('are an error if the workspace is gone', async () => {
    for (const gone of [{ workspace: join(folderWith({}), 'gone') }, { answer: { changes: [] } }]) {
      const { result, asked } = await judge(gone)
      expect(result).toMatchObject({ score: null, error: { code: 'workspace-gone' } })
      expect(asked).toBe(0)
    }
  })

  it('are the only ones whose judge looks', async () => {
    const { look } = await judge({ check: '{type: rubrics, criteria: Is polite}', workspace: folderWith({}) })
    expect(look).toBeUndefined()
  })
})
