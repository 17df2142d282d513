import { defined } from '../lib/defined.ts'
import type { Answer } from '../model/answer.ts'
import type { JudgeUsage } from '../model/result.ts'

/** What the judges of one attempt used. */
export class JudgeUsages {
  readonly #answers: Answer[] = []

  add(answer: Answer): void {
    this.#answers.push(answer)
  }

  /** Undefined where no judge was asked. A figure that one of them did not report is that of the others. */
  get total(): JudgeUsage | undefined {
    if (this.#answers.length === 0) return undefined
    const sum = (figureOf: (answer: Answer) => number | undefined) => {
      const known = this.#answers.flatMap(answer => figureOf(answer) ?? [])
      return known.length === 0 ? undefined : known.reduce((total, figure) => total + figure, 0)
    }
    const figures = defined({
      input: sum(({ token_usage }) => token_usage?.input),
      output: sum(({ token_usage }) => token_usage?.output),
      cached: sum(({ token_usage }) => token_usage?.cached),
      reasoning: sum(({ token_usage }) => token_usage?.reasoning),
      cost_usd: sum(({ cost_usd }) => cost_usd),
    })
    return { calls: this.#answers.length, ...figures }
  }
}
