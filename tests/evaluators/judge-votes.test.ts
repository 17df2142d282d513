import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../src/model/answer.ts'
import { loadTest } from '../support/checks.ts'
import { judgedBy } from '../support/judges/scripted-judge.ts'

const item = (satisfied: boolean, reasoning: string) =>
  JSON.stringify({ items: [{ id: 'rubric-1', satisfied, reasoning }] })
const scored = (score: number, reasoning: string) => JSON.stringify({ items: [{ id: 'rubric-1', score, reasoning }] })
const verdict = (score: number, reasoning: string) =>
  JSON.stringify({ score, hits: [reasoning], misses: [], reasoning })

describe('several votes of a judge', () => {
  it.each([
    [[true, true, false], true],
    [[false, true, false], false],
    [[false, false, false], false],
  ])('%j on an item are %j by majority', async (votes, satisfied) => {
    const replies = votes.map((vote, index) => item(vote, `vote ${index + 1}`))
    const { results, requests } = await judgedBy(['{type: rubrics, criteria: Is kind, votes: 3}'], replies)
    expect(requests.map(({ vote }) => vote)).toEqual([1, 2, 3])
    expect(results).toMatchObject([
      {
        score: Number(satisfied),
        items: [
          {
            satisfied,
            passed: satisfied,
            // The reasoning of a vote that agrees.
            reasoning: `vote ${votes.indexOf(satisfied) + 1}`,
            votes: votes.map((vote, index) => ({ satisfied: vote, reasoning: `vote ${index + 1}` })),
          },
        ],
      },
    ])
  })

  it('give an item with score ranges the mean score', async () => {
    const check = '{type: rubrics, votes: 3, rubrics: [{outcome: Is clear, score_ranges: {0: Bad, 10: Good}}]}'
    const { results } = await judgedBy([check], [scored(3, 'a'), scored(9, 'b'), scored(6, 'c')])
    expect(results).toMatchObject([{ score: 0.6, items: [{ score: 6, reasoning: 'c', passed: true }] }])
  })

  it('give an llm_judge the mean score, with the findings of the vote next to it', async () => {
    const replies = [verdict(0, 'low'), verdict(0.5, 'middle'), verdict(1, 'high')]
    const { results } = await judgedBy(['{type: llm_judge, votes: 3}'], replies)
    const votes = [
      { score: 0, reasoning: 'low' },
      { score: 0.5, reasoning: 'middle' },
      { score: 1, reasoning: 'high' },
    ]
    expect(results).toMatchObject([{ score: 0.5, hits: ['middle'], reasoning: 'middle', votes }])
  })

  it('are not recorded if there is only one', async () => {
    const { results, requests } = await judgedBy(['{type: llm_judge, votes: 1}'], [verdict(1, 'fine')])
    expect(requests).toHaveLength(1)
    expect(results[0]?.votes).toBeUndefined()
  })

  it('are an error if one of them is missing', async () => {
    const replies = [item(true, 'yes'), new NoAnswer('timeout', 'no answer'), item(true, 'yes')]
    const { results } = await judgedBy(['{type: rubrics, criteria: Is kind, votes: 3}'], replies)
    expect(results).toMatchObject([{ score: null, error: { code: 'judge-no-answer' } }])
  })

  it.each(['2', '0', '17', '1.5'])('cannot be %s', async votes => {
    await expect(loadTest([`{type: llm_judge, votes: ${votes}}`])).rejects.toThrow(/out-of-range|wrong-type/)
  })
})
