import { compositeKey } from '../../lib/collections.ts'
import type { AlignmentSession } from '../../model/alignment.ts'
import type { Result } from '../../model/result.ts'

/** How many answers of a run pass and fail, by suite and by the checks that grade them. */
export class VerdictCounts {
  readonly #counts = new Map<string, { pass: number; fail: number }>()

  constructor(results: Iterable<Result>) {
    for (const { suite, verdict, evaluator_results: checks } of results) {
      if (verdict === 'error') continue
      for (const { name } of checks) {
        const key = compositeKey(suite, name)
        const counts = this.#counts.get(key) ?? { pass: 0, fail: 0 }
        counts[verdict === 'pass' ? 'pass' : 'fail']++
        this.#counts.set(key, counts)
      }
    }
  }

  /** The verdicts on answers of these suites that have a check of this name. */
  of(suites: readonly string[], check: string): AlignmentSession['judged'] {
    const found = suites.map(suite => this.#counts.get(compositeKey(suite, check)) ?? { pass: 0, fail: 0 })
    return {
      pass: found.reduce((sum, { pass }) => sum + pass, 0),
      fail: found.reduce((sum, { fail }) => sum + fail, 0),
    }
  }
}
