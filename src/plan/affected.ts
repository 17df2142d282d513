import { shortHash } from '../lib/sha256.ts'
import { type Attempt, countTests } from '../model/attempt.ts'
import type { BaselineTest } from '../model/baseline.ts'
import { comparisonsOn, isWithTarget } from '../model/comparison.ts'
import { markRecord } from '../model/mark.ts'
import type { Plan } from '../model/plan.ts'
import type { Reference, TestStatus } from '../model/test-status.ts'
import { ChangeReasons } from './change-reasons.ts'
import { KnownTests } from './known-tests.ts'
import { trialsOfTests } from './reruns.ts'
import { conversationOf } from './units.ts'

/** The status of every test of a plan, in order. */
export function statusOfTests(
  plan: Plan,
  { name, baseline }: Reference,
  recordedPath: (file: string) => string,
): TestStatus[] {
  const known = new KnownTests(baseline.tests)
  const reasons = new ChangeReasons(plan, baseline, recordedPath)
  const groups = [...trialsOfTests(plan.attempts)]
  const found = known.match(groups.map(([first]) => ({ attempt: first, file: recordedPath(first.test.at.file) })))
  return groups.map((attempts, index): TestStatus => {
    const [first] = attempts
    const test = found[index]
    if (!test)
      return { attempts, state: 'new', known: undefined, reasons: [known.newText(first)], moved_from: undefined }
    const changes = [...reasons.of(first, test), ...missingText(attempts.length, test, name)]
    const moved_from = test.file === recordedPath(first.test.at.file) ? undefined : test.file
    return { attempts, state: changes.length === 0 ? 'current' : 'changed', known: test, reasons: changes, moved_from }
  })
}

/** What the saved result lacks, though nothing has changed. */
function missingText(trials: number, { attempts, errors }: BaselineTest, name: string): string[] {
  return [
    ...(errors > 0 ? [`the result in ${name} has errors`] : []),
    ...(attempts < trials ? [`${trials} trials wanted, ${name} has ${attempts}`] : []),
  ]
}

/**
 * Leaves only the affected tests in a plan; the results of the others are carried over. A test is run on all of its
 * arms, and a conversation with all of its tests, if one of them is affected.
 */
export function affectedPlan(
  plan: Plan,
  statuses: readonly TestStatus[],
  { name }: Pick<Reference, 'name'>,
  recordedPath: (file: string) => string,
): Plan {
  const compared = new Set(plan.attempts.filter(isComparedWithArm).map(({ test }) => test))
  const keysOf = ({ attempts: [first] }: TestStatus) => [
    ...(compared.has(first.test) ? [first.test] : []),
    ...[conversationOf(first) ?? []].flat(),
  ]
  const together = new Set(statuses.filter(({ state }) => state !== 'current').flatMap(keysOf))
  const isAffected = (status: TestStatus) => status.state !== 'current' || keysOf(status).some(key => together.has(key))
  const affected = statuses.filter(isAffected)
  const current = statuses.filter(status => !isAffected(status))
  const attempts = affected.flatMap(status => status.attempts)
  const tests = current.flatMap(({ known, attempts: [first] }) =>
    known ? [carriedTest(known, first, recordedPath)] : [],
  )
  return {
    ...plan,
    id: shortHash(attempts.map(({ id }) => id).join(' ')),
    attempts,
    planned: attempts.length,
    total: attempts.length,
    total_tests: countTests(attempts),
    carried: { from: name, tests, attempts: current.flatMap(status => status.attempts) },
  }
}

/** Whether an attempt is compared with another arm of its test, by its result or by its answer. */
function isComparedWithArm({ is_control, test, target }: Attempt): boolean {
  return is_control === true || [...comparisonsOn(test.checks, target)].some(isWithTarget)
}

/** A saved result, with the location and the mark that the test has now. */
function carriedTest(
  known: BaselineTest,
  { test, mark }: Attempt,
  recordedPath: (file: string) => string,
): BaselineTest {
  return { ...known, file: recordedPath(test.at.file), line: test.at.line(), ...markRecord(mark) }
}
