import type { Result } from '../../model/result.ts'
import { type RunReader, testKey } from '../../model/run-reader.ts'
import { type Outcome, outcomeOf } from './run-outcome.ts'
import type { TestOutcome } from './test-outcome.ts'

/** A test on a target with its recorded attempts. */
export interface RunTest {
  readonly outcome: TestOutcome
  /** Reads the attempts on demand, because there can be very many. */
  attempts(): Result[]
}

/** Returns the tests of a run in plan order; pass its outcome to avoid computing it again. */
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

/** Returns the ids of planned attempts without a result. */
export function attemptsWithoutResult(run: RunReader): string[] {
  const recorded = new Set(Array.from(run.facts(), ({ attempt_id }) => attempt_id))
  return (run.info?.attempts ?? []).flatMap(([, id]) => (recorded.has(id) ? [] : [id]))
}
