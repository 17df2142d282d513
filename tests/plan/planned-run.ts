import type { Attempt } from '../../src/model/attempt.ts'
import type { Plan } from '../../src/model/plan.ts'
import type { Result } from '../../src/model/result.ts'
import type { Rerun, RunInfo } from '../../src/model/run-info.ts'
import { factsOf, type RunReader } from '../../src/model/run-reader.ts'
import type { Suite } from '../../src/model/suite.ts'
import type { Target } from '../../src/model/target.ts'
import type { Test } from '../../src/model/test.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import { addReruns } from '../../src/plan/reruns.ts'
import type { Shard } from '../../src/plan/units.ts'
import { ResultIndex } from '../../src/record/result-index.ts'
import { resultWith } from '../support/recorded-run.ts'

interface PlanOptions {
  readonly tests: readonly { readonly id: string; readonly conversation_id?: string }[]
  readonly targets?: readonly string[]
  readonly trials?: number
  readonly shard?: Shard
}

/** The plan of a suite with these tests, without input and checks. */
export function planOf({ tests, targets = ['default'], trials, shard }: PlanOptions): Plan {
  const at = { file: '/EVAL.yaml', line: () => 1 }
  const suite = { name: 'suite', file: '/EVAL.yaml', execution: {}, at } as unknown as Suite
  const loaded = tests.map(test => ({ input: [], checks: [], execution: {}, metadata: {}, tags: [], at, ...test }))
  const provider = { type: 'mock' }
  const known = targets.map(name => ({ name, provider, written: { name }, settings: {}, home: '/', at }))
  return makePlan({
    selected: [{ suite, tests: loaded as unknown as Test[] }],
    skipped: [],
    armsOf: () => known.map(target => ({ target: target as unknown as Target })),
    judgeOf: () => undefined,
    judges: [],
    hashes: new Map(),
    contents: new Map(),
    available_tests: tests.length,
    trials,
    shard,
  })
}

/** Returns the outcome of an attempt. */
export type OutcomeOf = (attempt: Attempt) => Partial<Result>

/** A run in memory that can be resumed and rerun. */
export class PlannedRun {
  readonly results: Result[] = []
  reruns: readonly Rerun[] = []
  attempts: readonly Attempt[] = []

  /** Records the missing attempts of a plan; with `isRerun`, also the failed ones. */
  execute(plan: Plan, outcomeOf: OutcomeOf, isRerun = false): void {
    const known = this.#index()
    const planned = addReruns(plan, this.reruns, known.facts(), isRerun ? 'now' : undefined)
    this.reruns = planned.reruns
    this.attempts = planned.plan.attempts
    const again = new Set(planned.replaced)
    for (const attempt of this.attempts) {
      if (known.has(attempt.id) && !again.has(attempt.id)) continue
      const { id: attempt_id, index, trial, rerun, added, test_hash, target_hash } = attempt
      const facts = { attempt_id, index, trial, rerun, added, test_hash, target_hash, test_id: attempt.test.id }
      this.results.push(resultWith({ ...facts, target: attempt.target.name, ...outcomeOf(attempt) }))
    }
  }

  get reader(): RunReader {
    const index = this.#index()
    index.plan(this.attempts.map(({ id, index }) => [index, id]))
    return {
      info: { reruns: [...this.reruns], attempts: [], options: {} } as unknown as RunInfo,
      planned: this.attempts.length,
      planned_tests: index.testCount(),
      facts: () => index.facts(),
      result: id => index.result(id),
      results: () => index.results(),
    }
  }

  /** The newest results of all attempts, planned or not. */
  #index(): ResultIndex {
    const index = new ResultIndex(({ offset }) => JSON.stringify(this.results[offset]))
    for (const [offset, result] of this.results.entries()) index.add(result, { offset, length: 1 })
    return index
  }
}

/** Whether an attempt counts against the agent. */
export function isFailure(result: Result): boolean {
  const { verdict, is_replaceable } = factsOf(result)
  return verdict !== 'pass' && !is_replaceable
}
