import { describe, expect, it } from 'vitest'
import type { RubricItem } from '../../src/model/evaluator-result.ts'
import { panelVerdicts } from '../../src/model/panel.ts'
import { checkResult } from '../support/recorded-run.ts'

const voted = (...votes: readonly (readonly [judge: string, score: number])[]) =>
  votes.map(([judge, score]) => ({ judge, score, reasoning: '' }))
const item = (votes: readonly (readonly [judge: string, satisfied: boolean])[], more: Partial<RubricItem> = {}) => ({
  id: 'x',
  text: 'x',
  weight: 1,
  required: false,
  passed: true,
  reasoning: '',
  satisfied: true,
  votes: votes.map(([judge, satisfied]) => ({ judge, satisfied, reasoning: '' })),
  ...more,
})
const passesOf = (...checks: Parameters<typeof checkResult>[0][]) => {
  const found = panelVerdicts(checks.map(check => checkResult(check)))
  return found && [Object.fromEntries(found.judges.map(({ judge, passes }) => [judge, passes])), found.is_disputed]
}

describe('the verdicts of a panel', () => {
  it('are those that each judge would give alone', () => {
    expect(passesOf({ votes: voted(['a', 0.9], ['b', 0.79], ['c', 0.8]) })).toEqual([
      { a: true, b: false, c: true },
      true,
    ])
  })

  it('are by the mean of the votes of a judge', () => {
    const votes = voted(['a', 1], ['a', 0.6], ['b', 0.9], ['b', 0.6])
    expect(passesOf({ votes })).toEqual([{ a: true, b: false }, true])
  })

  it('use the mark of a required check, and are inverted for a negated one', () => {
    expect(passesOf({ required: 0.5, votes: voted(['a', 0.5], ['b', 0.6]) })).toEqual([{ a: true, b: true }, false])
    expect(passesOf({ negate: true, votes: voted(['a', 0.1], ['b', 0.9]) })).toEqual([{ a: true, b: false }, true])
  })

  it('are by the items of a rubric, of which a required one fails', () => {
    const items = [
      item(
        [
          ['a', true],
          ['b', true],
        ],
        { weight: 9 },
      ),
      item(
        [
          ['a', true],
          ['b', false],
        ],
        { required: true },
      ),
    ]
    expect(passesOf({ items })).toEqual([{ a: true, b: false }, true])
    const optional = items.map(each => ({ ...each, required: false }))
    expect(passesOf({ items: optional })).toEqual([{ a: true, b: true }, false])
  })

  it('cover all checks of a test, at any depth', () => {
    const inside = checkResult({ votes: voted(['a', 0], ['c', 0]) })
    expect(passesOf({ votes: voted(['a', 1], ['b', 1]) }, { evaluator_results: [inside] })).toEqual([
      { a: false, b: true, c: false },
      false,
    ])
  })

  it('are unknown without a panel: votes of one judge do not name it', () => {
    expect(passesOf({ votes: [{ score: 1, reasoning: '' }] })).toBeUndefined()
    expect(passesOf({ not_applicable: true, votes: voted(['a', 1]) })).toBeUndefined()
  })

  it('survive records in which a judge has no vote on an item', () => {
    const items = [item([['a', true]]), item([['b', true]])]
    expect(passesOf({ items })).toEqual([{ a: false, b: false }, false])
  })
})
