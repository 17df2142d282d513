import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NoAnswer } from '../../../src/model/answer.ts'
import type { Attempt } from '../../../src/model/attempt.ts'
import type { Prompt } from '../../../src/model/prompt.ts'
import { type Ask, NotRun } from '../../../src/run/ask.ts'
import { Budget, Budgets, enforceBudgets } from '../../../src/run/policies/budget.ts'

const PROMPT = { attempt_id: 'id', request_id: 'request', trial: 1 } as Prompt
const NEVER = new AbortController()
const failure = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'no failure',
    error => error,
  )

/** The number of requests until a budget is spent. */
async function requestsUntilSpent(budgets: readonly Budget[], ask: Ask, most = 1000): Promise<number> {
  for (let count = 0; count < most; count++) {
    const error = await failure(enforceBudgets(budgets)(ask)(PROMPT, NEVER))
    if (error === 'no failure') continue
    expect(error).toEqual(new NotRun('budget'))
    return count
  }
  return most
}

describe('budget', () => {
  const costing = (...usd: (number | undefined)[]): Ask => {
    const left = [...usd]
    return async () => ({ text: 'ok', cost_usd: left.length > 1 ? left.shift() : left[0] })
  }
  it('is spent when the limit is reached exactly', async () => {
    expect(await requestsUntilSpent([new Budget(3)], costing(1))).toBe(3)
    expect(await requestsUntilSpent([new Budget(3)], costing(2))).toBe(2)
    expect(await requestsUntilSpent([new Budget(3)], costing(5))).toBe(1)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 99 }), fc.integer({ min: 1, max: 50 }), async (cents, times) => {
        expect(await requestsUntilSpent([new Budget((cents * times) / 100)], costing(cents / 100))).toBe(times)
      }),
    )
  })

  it('counts answers with unknown cost without charging them', async () => {
    const budget = new Budget(1)
    expect(await requestsUntilSpent([budget], costing(undefined), 5)).toBe(5)
    expect({ spent: budget.spent, unknown: budget.unknown }).toEqual({ spent: 0, unknown: 5 })
  })

  it('charges all budgets and stops at the first that is spent', async () => {
    const [large, small] = [new Budget(10), new Budget(2)]
    expect(await requestsUntilSpent([large, small], costing(1))).toBe(2)
    expect([large.spent, small.spent]).toEqual([2, 2])
  })

  it('does not charge requests without an answer and passes on their errors', async () => {
    const budget = new Budget(1)
    const error = new NoAnswer('network', 'gone')
    expect(await failure(enforceBudgets([budget])(() => Promise.reject(error))(PROMPT, NEVER))).toBe(error)
    expect(budget.spent).toBe(0)
  })

  it('belongs to the run, the suite and the test', () => {
    const suite = { execution: { budget_usd: 2 } }
    const test = { execution: { budget_usd: 1 } }
    const attempt = (parts: object) => ({ suite, test: { execution: {} }, ...parts }) as unknown as Attempt
    const budgets = new Budgets(5)
    expect(budgets.of(attempt({})).map(({ usd }) => usd)).toEqual([5, 2])
    expect(budgets.of(attempt({ test })).map(({ usd }) => usd)).toEqual([5, 2, 1])
    expect(budgets.of(attempt({}))[1]).toBe(budgets.of(attempt({ test }))[1])
    expect(new Budgets(undefined).of(attempt({ suite: { execution: {} } }))).toEqual([])
    budgets.of(attempt({ test }))[2]?.add({ text: 'ok' })
    expect(budgets.unknown).toBe(1)
  })

  it('counts unknown costs of 200,000 tests', () => {
    const budgets = new Budgets(undefined)
    for (let index = 0; index < 200_000; index++) {
      const attempt = { suite: { execution: {} }, test: { execution: { budget_usd: 1 } } } as unknown as Attempt
      budgets.of(attempt)[0]?.add({ text: 'ok' })
    }
    expect(budgets.unknown).toBe(1)
  })
})

describe('a budget that estimates unknown costs', () => {
  const NOTHING = { usd: 0, answers: 0, unknown: 0 }
  const budgetOf = (usd: number, before: typeof NOTHING) => new Budgets(usd, before).all ?? new Budget(0)

  it('counts them as the mean of the others', async () => {
    const budget = budgetOf(1, { usd: 0.2, answers: 2, unknown: 1 })
    expect(await requestsUntilSpent([budget], async () => ({ text: 'ok' }))).toBe(7)
  })

  it('counts requests that are on their way', () => {
    const budget = budgetOf(0.3, { usd: 0.1, answers: 1, unknown: 0 })
    budget.begin()
    expect(budget.isSpent).toBe(false)
    budget.begin()
    expect(budget.isSpent).toBe(true)
    budget.end(new NoAnswer('network', 'unreachable'))
    expect(budget.isSpent).toBe(false)
  })

  it('is spent after five answers if no cost is known', async () => {
    expect(await requestsUntilSpent([budgetOf(1, NOTHING)], async () => ({ text: 'ok' }))).toBe(5)
  })
})
