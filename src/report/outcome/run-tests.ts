import type { Result } from '../../model/result.ts'
import { type RunReader, testKey } from '../../model/run-reader.ts'
import { type Outcome, outcomeOf } from './run-outcome.ts'
import type { TestOutcome } from './test-outcome.ts'

/** A test on a target, and what was recorded of it. */
export interface RunTest {
  readonly outcome: TestOutcome
  /** Its attempts, read when somebody asks: there may be very many. */
  attempts(): Result[]
}

/** The tests of a run in the order of the plan; who has its outcome already hands that in. */
export function runTests(run: RunReader, { tests }: Pick<Outcome, 'tests'> = outcomeOf(run)): RunTest[] {
  const attempts = new Map<string, string[]>()
  for (const facts of run.facts()) {
    const key = testKey(facts)
    const ids = attempts.get(key)
    if (ids) ids.push(facts.attempt_id)
    else attempts.set(key, [facts.attempt_id])
  }
  return tests.map(outcome => ({
    outcome,
    attempts: () => (attempts.get(testKey(outcome)) ?? []).flatMap(id => run.result(id) ?? []),
  }))
}

/** The planned attempts that have no result. */
export function attemptsWithoutResult(run: RunReader): string[] {
  const made = new Set(Array.from(run.facts(), ({ attempt_id }) => attempt_id))
  return (run.info?.attempts ?? []).flatMap(([, id]) => (made.has(id) ? [] : [id]))
}
