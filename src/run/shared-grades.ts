import { type Check, isJudged } from '../model/check.ts'
import type { EvaluatorResult } from '../model/evaluator-result.ts'
import type { AlterationOrder } from './alteration-order.ts'

type Graded = EvaluatorResult | Promise<EvaluatorResult>

/** What several gradings of one answer share: the order of alterations, and the results that no model judges. */
export class SharedGrades {
  /** Undefined if no check alters the workspace. */
  readonly order: AlterationOrder | undefined
  /** Undefined for one grading. */
  readonly #computed: Map<Check, Graded> | undefined

  constructor(order: AlterationOrder | undefined, repeats: number) {
    this.order = order
    this.#computed = repeats > 1 ? new Map() : undefined
  }

  /** Grades a check, or returns its result from another grading if no model judges it. */
  once(check: Check, grade: () => Graded): Graded {
    if (!this.#computed || isJudged(check)) return grade()
    const known = this.#computed.get(check) ?? grade()
    this.#computed.set(check, known)
    return known
  }
}
