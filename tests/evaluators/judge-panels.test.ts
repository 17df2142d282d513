import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../src/model/answer.ts'
import { loadTest, loadTestWithDiagnostics } from '../support/checks.ts'
import { judgedBy } from '../support/judges/scripted-judge.ts'

const item = (satisfied: boolean, reasoning: string) =>
  JSON.stringify({ items: [{ id: 'rubric-1', satisfied, reasoning }] })
const scored = (score: number, reasoning: string) => JSON.stringify({ items: [{ id: 'rubric-1', score, reasoning }] })
const verdict = (score: number, reasoning: string) =>
  JSON.stringify({ score, hits: [reasoning], misses: [], reasoning })

const PANEL = 'judges: [a, b, c]'

describe('a panel of judges', () => {
  it('decides an item by majority, and records who voted how', async () => {
    const replies = [item(true, 'one'), item(false, 'two'), item(false, 'three')]
    const { results, requests } = await judgedBy([`{type: rubrics, criteria: Is kind, ${PANEL}}`], replies)
    expect(requests.map(({ judge, vote }) => [judge, vote])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
    ])
    const votes = [
      { satisfied: true, reasoning: 'one', judge: 'a' },
      { satisfied: false, reasoning: 'two', judge: 'b' },
      { satisfied: false, reasoning: 'three', judge: 'c' },
    ]
    expect(results).toMatchObject([{ score: 0, items: [{ satisfied: false, reasoning: 'two', votes }] }])
    expect(results[0]?.items?.[0]?.votes).toEqual(votes)
  })

  it('asks each judge for its number of votes', async () => {
    const replies = [1, 1, 1, 0, 0, 0, 0, 0, 1].map((score, index) => scored(score * 10, String(index)))
    const check = `{type: rubrics, votes: 3, ${PANEL}, rubrics: [{outcome: Is clear, score_ranges: {0: Bad, 10: Good}}]}`
    const { results, requests } = await judgedBy([check], replies)
    expect(requests.map(({ judge, vote }) => `${judge}${vote}`)).toEqual(
      ['a', 'b', 'c'].flatMap(judge => [1, 2, 3].map(vote => `${judge}${vote}`)),
    )
    expect(results[0]?.score).toBeCloseTo(4 / 9)
    expect(results[0]?.items?.[0]?.votes).toHaveLength(9)
  })

  it('gives an llm_judge the mean score', async () => {
    const replies = [verdict(0, 'low'), verdict(0.5, 'middle'), verdict(1, 'high')]
    const { results } = await judgedBy([`{type: llm_judge, ${PANEL}}`], replies)
    const votes = [
      { score: 0, reasoning: 'low', judge: 'a' },
      { score: 0.5, reasoning: 'middle', judge: 'b' },
      { score: 1, reasoning: 'high', judge: 'c' },
    ]
    expect(results).toMatchObject([{ score: 0.5, reasoning: 'middle', votes }])
  })

  it.each([
    ['gives no answer', new NoAnswer('timeout', 'no answer within 1 s'), 'judge-no-answer', 'gave no answer'],
    ['has an unusable reply', 'no', 'judge-reply', 'the reply of the judge `c` cannot be used'],
  ])('is an error that names the judge which %s', async (_, reply, code, words) => {
    const replies = [verdict(1, 'fine'), verdict(1, 'fine'), reply]
    const { results } = await judgedBy([`{type: llm_judge, ${PANEL}}`], replies)
    expect(results).toMatchObject([{ score: null, passed: false, error: { code } }])
    expect(results[0]?.error?.message).toContain('`c`')
    expect(results[0]?.error?.message).toContain(words)
    expect(results[0]?.votes).toBeUndefined()
  })

  it('is asked completely, also after a judge has failed, so that every call is counted', async () => {
    const replies = [new NoAnswer('timeout', 'no answer'), verdict(1, 'fine')]
    const { requests } = await judgedBy([`{type: llm_judge, ${PANEL}}`], replies)
    expect(requests).toHaveLength(3)
  })

  it.each([
    ['[a]', 'out-of-range', 'judges'],
    ['[a, b]', 'out-of-range', 'judges'],
    ['[a, b, c, d]', 'out-of-range', 'an even number of judges can be tied'],
    ['[a, b, c, d, e, f, g, h, i, j, k]', 'out-of-range', 'judges'],
    ['[a, b, a]', 'duplicate-name', 'the judge `a` is already on the panel'],
    ["[a, b, '']", 'out-of-range', 'must not be empty'],
    ['a', 'wrong-type', 'judges'],
  ])('cannot be %s', async (judges, code, words) => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: llm_judge, judges: ${judges}}`])
    expect(diagnostics.map(each => each.code)).toContain(code)
    expect(diagnostics.map(({ message }) => message).join('\n')).toContain(words)
  })

  it.each(['llm_judge', 'agent_judge', 'rubrics, criteria: Is kind'])('excludes a target: %s', async type => {
    const { diagnostics } = await loadTestWithDiagnostics([`{type: ${type}, target: a, ${PANEL}}`])
    expect(diagnostics).toMatchObject([{ code: 'two-spellings', message: expect.stringContaining('`judges`') }])
    await loadTest([`{type: ${type}, ${PANEL}}`])
  })
})
