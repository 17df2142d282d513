import { describe, expect, it } from 'vitest'
import { bestOf } from '../../../src/operations/proposals/rank-in-rounds.ts'
import { failuresOf, measuredOf } from '../../../src/operations/skills/tune/measured.ts'
import { descriptionProblem, proposalMessages } from '../../../src/operations/skills/tune/proposal-prompt.ts'
import { distinctQueries, seedOf, splitQueries } from '../../../src/operations/skills/tune/split-queries.ts'
import { planTuning } from '../../../src/operations/skills/tune/tuning-plan.ts'

const QUERIES = Array.from({ length: 40 }, (_, index) => ({ query: `query ${index}`, should_trigger: index % 4 === 0 }))
const EFFORT = { trials: 3, training_trials: 1, rounds: 3, proposals: 3 }

describe('the parts of the queries', () => {
  it('have the same proportion of each kind, and follow from the seed', () => {
    const split = splitQueries(QUERIES, 0.4, 7)
    const held = split.filter(({ part }) => part === 'held-out')
    expect(held).toHaveLength(16)
    expect(held.filter(({ should_trigger }) => should_trigger)).toHaveLength(4)
    expect(splitQueries(QUERIES, 0.4, 7)).toEqual(split)
    expect(splitQueries(QUERIES, 0.4, 8)).not.toEqual(split)
  })

  it('have a seed that does not depend on the order or layout of the queries', () => {
    const other = QUERIES.toReversed().map(each => ({ ...each, query: ` ${each.query.toUpperCase()}` }))
    expect(seedOf(other)).toBe(seedOf(QUERIES))
  })

  it('have no query twice', () => {
    const { queries, repeated } = distinctQueries([...QUERIES, { query: 'Query  3 ', should_trigger: false }])
    expect([queries.length, repeated]).toEqual([40, 1])
  })
})

describe('the plan', () => {
  it('starts the agent less often than 300 times for 20 queries, and says what they can show', () => {
    const queries = splitQueries(
      QUERIES.slice(0, 20).map((each, index) => ({ ...each, should_trigger: index % 2 === 0 })),
      0.4,
      1,
    )
    const plan = planTuning(queries, EFFORT)
    expect(plan).toMatchObject({ training: 12, held_out: 8, starts: { usual: 96, most: 168 }, least_changed: 6 })
    expect(plan.least_difference).toBe(0.75)
    expect(plan.likely_difference).toBeGreaterThan(0.75)
  })
})

describe('measured descriptions', () => {
  const queries = [
    { id: 1, query: 'a', should_trigger: true, part: 'training' },
    { id: 2, query: 'b', should_trigger: false, part: 'training' },
  ] as const
  const attempt = (test_id: string, verdict: 'pass' | 'fail' | 'error', target = 'current') =>
    ({ test_id, verdict, target }) as const

  it('count errors as wrong, and do not list them as failures', () => {
    const attempts = [
      attempt('1', 'pass'),
      attempt('1', 'fail'),
      attempt('2', 'error'),
      attempt('2', 'pass', 'candidate-1'),
    ]
    expect(measuredOf(0, queries, attempts)).toMatchObject({ all: { right: 0.25, queries: 2 }, errors: 1 })
    expect(failuresOf(0, queries, attempts)).toEqual([{ query: 'a', should_trigger: true, right: 0.5 }])
    expect(measuredOf(1, queries, attempts)).toBeUndefined()
  })

  it('are ranked by their result, then by length, and must beat the current one', () => {
    const measured = (right: number) => {
      const share = { right, queries: 2 }
      return { all: share, should_trigger: share, should_not_trigger: share, errors: 0 }
    }
    const ranked = (number: number, right: number, description: string) => ({
      number,
      description,
      measured: measured(right),
    })
    const all = [ranked(1, 0.5, 'short'), ranked(2, 1, 'longer text'), ranked(3, 1, 'long text')]
    const figures = {
      rightOf: ({ measured }: (typeof all)[number]) => measured.all.right,
      lengthOf: ({ description }: (typeof all)[number]) => description.length,
    }
    expect(bestOf(all, 0.5, figures)?.number).toBe(3)
    expect(bestOf(all, 1, figures)).toBeUndefined()
  })
})

describe('proposals', () => {
  it.each([
    ['fine: "quoted" – 表', undefined],
    ['  ', 'it is empty'],
    ['a\u2028b', 'it has more than one line'],
    ['a\u0007b', 'it has control characters'],
    ['\ud800', 'it has control characters'],
    ['known', 'it was tried already'],
  ])('rejects what cannot be a description: %j', (description, problem) => {
    expect(descriptionProblem(description, ['known'])).toBe(problem)
  })

  it('have at most 1,024 characters, however many bytes these have', () => {
    expect(descriptionProblem('🎉'.repeat(1024), [])).toBeUndefined()
    expect(descriptionProblem('🎉'.repeat(1025), [])).toBe('it is longer than 1024 characters')
  })

  it('are asked for with the failures of the best description so far', () => {
    const failures = [{ query: 'ignore all </x> "this"', should_trigger: true, right: 0 }]
    const tried = [
      { description: 'now', right: 0.5, failures: [{ query: 'write a poem', should_trigger: false, right: 0 }] },
      { description: 'better', right: 0.9, failures },
    ]
    const text = JSON.stringify(
      proposalMessages({ skill: 's', body: 'B'.repeat(10_000), queries: 10, tried, wanted: 2 }),
    )
    expect(text).toContain('ignore all')
    expect(text).not.toContain('write a poem')
    expect(text.length).toBeLessThan(10_000)
  })
})
