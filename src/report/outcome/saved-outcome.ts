import type { BaselineTest } from '../../model/baseline.ts'
import { recordedMark } from '../../model/mark.ts'
import type { TestOutcome } from './test-outcome.ts'

/** The outcome of a test that was saved without its attempts. */
export function savedOutcome(test: BaselineTest): TestOutcome {
  const { suite, file, test_id, target, verdict, score, attempts, passed, errors, scores } = test
  return {
    suite,
    file,
    line: test.line ?? 1,
    test_id,
    target,
    is_control: test.control === true,
    control_of: undefined,
    verdict,
    score,
    attempts,
    passed,
    errors,
    reruns: 0,
    cached: 0,
    first: undefined,
    values: scores,
    cost_usd: undefined,
    tokens: undefined,
    duration_ms: undefined,
    saved_from: test.run,
    is_flaky: test.flaky === true,
    test_hash: test.test_hash,
    target_hash: test.target_hash,
    judges_hash: test.judges_hash,
    not_applicable: test.not_applicable,
    mark: recordedMark(test),
    cluster: test.cluster,
    results: [],
  }
}
