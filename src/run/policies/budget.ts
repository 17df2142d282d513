import type { Answer } from '../../model/answer.ts'
import type { Attempt } from '../../model/attempt.ts'
import { NotRun, type Policy } from '../ask.ts'

/** A limit on costs in US dollars. */
export class Budget {
  readonly usd: number
  spent = 0
  /** Answers with unknown cost. */
  unknown = 0

  constructor(usd: number) {
    this.usd = usd
  }

  get isSpent(): boolean {
    return this.spent >= this.usd - 1e-9
  }

  add({ cost_usd }: Answer): void {
    if (cost_usd === undefined) this.unknown++
    else this.spent += cost_usd
  }
}

/** The budgets of a run, its suites and its tests. Costs of earlier runs do not count. */
export class Budgets {
  readonly all: Budget | undefined
  readonly #own = new Map<object, Budget>()

  constructor(usd: number | undefined) {
    this.all = usd === undefined ? undefined : new Budget(usd)
  }

  of({ suite, test }: Attempt): readonly Budget[] {
    const own = [suite, test].flatMap(owner => this.#budgetOf(owner) ?? [])
    return this.all ? [this.all, ...own] : own
  }

  /** Answers that no budget counts because their cost is unknown. */
  get unknown(): number {
    const budgets = [...this.#own.values(), ...(this.all ? [this.all] : [])]
    // There may be more budgets than a function takes arguments.
    return budgets.reduce((most, { unknown }) => Math.max(most, unknown), 0)
  }

  #budgetOf(owner: { readonly execution: { readonly budget_usd?: number | undefined } }): Budget | undefined {
    const usd = owner.execution.budget_usd
    if (usd === undefined) return undefined
    const budget = this.#own.get(owner) ?? new Budget(usd)
    this.#own.set(owner, budget)
    return budget
  }
}

/** Asks only while no budget is exhausted. */
export function enforceBudgets(budgets: readonly Budget[]): Policy {
  return ask => async (prompt, stop) => {
    if (budgets.some(budget => budget.isSpent)) throw new NotRun('budget')
    const answer = await ask(prompt, stop)
    for (const budget of budgets) budget.add(answer)
    return answer
  }
}
