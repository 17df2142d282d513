import { compositeKey } from '../../lib/collections.ts'
import type { Result } from '../../model/result.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { checkReasons, failedChecks, reasonsOf } from '../reasons.ts'

/** Attempts at one test on one target that did not pass, with the same verdict and for the same reasons. */
export interface FailedTrials {
  /** The first of them. */
  readonly result: Result
  /** Their numbers. */
  readonly trials: readonly number[]
  /** The number of all attempts at the test on the target. */
  readonly attempts: number
  /** Their lowest and their highest score; undefined without scores. */
  readonly scores: readonly [lowest: number, highest: number] | undefined
  /** Whether all have the same answer. */
  readonly is_same_answer: boolean
}

/** Attempts at one test on one target that did not pass. */
export interface FailedTest {
  readonly attempt_ids: readonly string[]
  /** The number of all attempts. */
  readonly attempts: number
}

/** Groups attempts by their reasons, at most `most` groups. `more` counts the attempts that are in none of them. */
export function groupFailedTrials(
  tests: Iterable<FailedTest>,
  run: Pick<RunReader, 'result'>,
  most: number,
): { readonly groups: readonly FailedTrials[]; readonly more: number } {
  const groups: FailedTrials[] = []
  let more = 0
  for (const test of tests) {
    const found = groups.length < most ? groupsOf(test, run) : []
    const listed = found.slice(0, most - groups.length)
    groups.push(...listed)
    more += test.attempt_ids.length - listed.reduce((sum, { trials }) => sum + trials.length, 0)
  }
  return { groups, more }
}

function groupsOf({ attempt_ids, attempts }: FailedTest, run: Pick<RunReader, 'result'>): FailedTrials[] {
  const groups = new Map<string, FailedTrials>()
  for (const id of attempt_ids) {
    const result = run.result(id)
    if (!result) continue
    const key = reasonsKey(result)
    const group = groups.get(key)
    groups.set(key, group ? joined(group, result) : single(result, attempts))
  }
  return [...groups.values()]
}

/** The same for attempts that did not pass for the same reasons. */
export function reasonsKey(result: Result): string {
  const checks = failedChecks(result).flatMap(check => [check.name, String(check.line), ...checkReasons(check)])
  return compositeKey(result.verdict, ...reasonsOf(result), ...checks)
}

function single(result: Result, attempts: number): FailedTrials {
  const { score, trial } = result
  const scores = score === null ? undefined : ([score, score] as const)
  return { result, trials: [trial], attempts, scores, is_same_answer: true }
}

function joined(group: FailedTrials, { score, trial, answer }: Result): FailedTrials {
  const { scores, trials } = group
  const known = [...(scores ?? []), ...(score === null ? [] : [score])]
  return {
    ...group,
    trials: [...trials, trial],
    scores: known.length === 0 ? undefined : [Math.min(...known), Math.max(...known)],
    is_same_answer: group.is_same_answer && answer === group.result.answer,
  }
}
