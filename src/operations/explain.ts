import { wildcard } from '../lib/patterns.ts'
import type { Result } from '../model/result.ts'
import type { ResultFacts, RunReader } from '../model/run-reader.ts'

export interface ExplainedTests {
  /** The results of the tests whose id matches. */
  readonly results: readonly Result[]
  /** Facts of all results of the run. */
  readonly facts: readonly ResultFacts[]
}

/** Finds the results of a run whose test id matches (wildcards: * and ?). */
export function findResults(run: RunReader, test: string): ExplainedTests {
  const pattern = wildcard(test)
  const facts = [...run.facts()]
  const results = facts
    .filter(({ test_id }) => pattern.test(test_id))
    .flatMap(({ attempt_id }) => run.result(attempt_id) ?? [])
  return { results, facts }
}
