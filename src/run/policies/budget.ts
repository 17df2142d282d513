import { type Answer, NoAnswer } from '../../model/answer.ts'
import type { Attempt } from '../../model/attempt.ts'
import { NotRun, type Policy } from '../ask.ts'

/** What answers have cost: those that reported it, and the number of the others. */
export interface KnownCosts {
  readonly usd: number
  readonly answers: number
  readonly unknown: number
}

/** The mean of the reported costs; undefined if none was reported. */
export function meanCost({ usd, answers }: KnownCosts): number | undefined {
  return answers === 0 ? undefined : usd / answers
}

/** Number of answers with unknown cost after which a budget is spent, unless another cost is known. */
const MOST_UNKNOWN = 5

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

  /** Called before a target is asked. */
  begin(): void {}

  /** Called after a target was asked. */
  end(_error?: unknown): void {}
}

/** A limit on costs that also counts answers whose cost is unknown, and those that are on their way, as the mean of the others. */
class EstimatingBudget extends Budget {
  readonly #before: KnownCosts
  #answers = 0
  #running = 0

  /** `before` was spent earlier. */
  constructor(usd: number, before: KnownCosts) {
    super(usd)
    this.#before = before
  }

  override get isSpent(): boolean {
    const { usd, answers, unknown } = this.#costs
    const mean = meanCost({ usd, answers, unknown })
    if (mean === undefined) return unknown >= MOST_UNKNOWN
    return usd + (unknown + this.#running + 1) * mean > this.usd + 1e-9
  }

  override add(answer: Answer): void {
    super.add(answer)
    if (answer.cost_usd !== undefined) this.#answers++
  }

  override begin(): void {
    this.#running++
  }

  /** An agent that failed has cost something, unless it was never reached. */
  override end(error?: unknown): void {
    this.#running--
    if (error instanceof NoAnswer && !error.never_reached) this.unknown++
  }

  get #costs(): KnownCosts {
    const { usd, answers, unknown } = this.#before
    return { usd: usd + this.spent, answers: answers + this.#answers, unknown: unknown + this.unknown }
  }
}

/** The budgets of a run, its suites and its tests. Costs of earlier runs do not count. */
export class Budgets {
  readonly all: Budget | undefined
  readonly #own = new Map<object, Budget>()

  /** With `before`, what was spent earlier counts, and unknown costs are estimated. */
  constructor(usd: number | undefined, before?: KnownCosts) {
    this.all = usd === undefined ? undefined : before ? new EstimatingBudget(usd, before) : new Budget(usd)
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
    for (const budget of budgets) budget.begin()
    try {
      const answer = await ask(prompt, stop)
      for (const budget of budgets) {
        budget.end()
        budget.add(answer)
      }
      return answer
    } catch (error) {
      for (const budget of budgets) budget.end(error)
      throw error
    }
  }
}
