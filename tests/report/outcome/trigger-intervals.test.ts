import { describe, expect, it } from 'vitest'
import { triggerResult } from '../../support/recorded-run.ts'
import { attempt, ratesOf, setOf } from '../../support/trigger-results.ts'

describe('intervals', () => {
  const trials = (test_id: string, should: boolean, ...did: boolean[]) =>
    did.map((triggered, index) => attempt(test_id, [triggerResult('csv', should, triggered)], { trial: index + 1 }))

  it('include each figure, and are those of queries, not of answers', () => {
    const many = Array.from({ length: 10 }, (_, index) => [
      ...trials(`yes-${index}`, true, true, true, index > 1),
      ...trials(`no-${index}`, false, false, false, index > 7),
    ])
    const [rates] = ratesOf(many.flat())
    for (const figure of ['precision', 'recall', 'f1'] as const) {
      const interval = rates?.[`${figure}_interval`]
      expect(interval?.low).toBeLessThan(rates?.[figure] ?? 0)
      expect(interval?.high).toBeGreaterThan(rates?.[figure] ?? 1)
    }
    // 28 of 30 answers would give [0.79–0.98].
    expect(rates?.recall_interval?.low).toBeLessThan(0.79)
  })

  it('do not shrink if one query is asked many times', () => {
    const set = [...setOf([2, 0, 2, 0])]
    const [plain] = ratesOf(set)
    const copies = Array.from({ length: 30 }, (_, index) =>
      attempt(`copy-${index}`, [triggerResult('csv', true, true)], { input: [{ role: 'user', content: 'the same' }] }),
    )
    const [copied] = ratesOf([...set, ...copies])
    expect(plain?.recall_interval?.low).toBeCloseTo(0.34, 2)
    expect(copied?.recall_interval?.low).toBeLessThan(0.34)
    expect(copied?.limits).toContain('34 queries are 5 in intervals: those with the same input or cluster count as one')
  })

  it('are those of clusters that the tests name', () => {
    const named = setOf([6, 0, 6, 0]).map(result => ({ ...result, metadata: { cluster: 'one' } }))
    expect(ratesOf(named)[0]).toMatchObject({ recall: 1, recall_interval: undefined, precision_interval: undefined })
  })

  it('are absent without queries that should not use the skill', () => {
    const [rates] = ratesOf(setOf([9, 0, 0, 0]))
    expect(rates).toMatchObject({ precision: 1, precision_interval: undefined, f1: 1, f1_interval: undefined })
    expect(rates?.recall_interval).toBeDefined()
  })
})

describe('reruns', () => {
  it('of failed queries do not give these more weight', () => {
    const missed = (trial: number) => attempt('missed', [triggerResult('csv', true, false)], { trial })
    const set = setOf([9, 0, 5, 0])
    const [before] = ratesOf([...set, missed(1)])
    const [after] = ratesOf([...set, missed(1), missed(2), missed(3)])
    expect([before?.recall, after?.recall]).toEqual([0.9, 0.9])
    expect(after?.f1).toBeCloseTo(before?.f1 ?? 0, 12)
    expect(after?.fn).toBe(3)
  })
})
