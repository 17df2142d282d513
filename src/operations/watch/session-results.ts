import { compositeKey } from '../../lib/collections.ts'
import type { Attempt } from '../../model/attempt.ts'
import type { Baseline, BaselineTest } from '../../model/baseline.ts'
import type { Plan } from '../../model/plan.ts'
import { type RunReader, testKey } from '../../model/run-reader.ts'
import type { TestStatus } from '../../model/test-status.ts'
import { affectedPlan, statusOfTests } from '../../plan/affected.ts'
import { trialsOfTests } from '../../plan/reruns.ts'
import { recordedPathsFrom } from '../../record/recorded-path.ts'
import { baselineOf } from '../../report/baseline/make-baseline.ts'
import type { AffectedRun } from '../run/affected-run.ts'

/** Which tests a cycle runs: those that changed, those that failed too, those of the last cycle too, or all. */
export type CycleTests = 'affected' | 'failed' | 'again' | 'all'

/** The newest result of each test in a session. */
export class SessionResults {
  readonly #recordedPath: (file: string) => string
  #baseline: Baseline | undefined
  #run_id = ''
  /** The tests that the last cycle planned, made or not. */
  #planned: ReadonlySet<string> = new Set()

  constructor(root: string) {
    this.#recordedPath = recordedPathsFrom(root)
  }

  /** The last run; undefined before the first one. */
  get run_id(): string | undefined {
    return this.#baseline && this.#run_id
  }

  /** Adds the results of a run, finished or not. Returns the tests that passed now and failed before, unchanged. */
  add(run: RunReader & { readonly info: { readonly run_id: string } }, { attempts }: Plan): BaselineTest[] {
    const now = baselineOf(run)
    const before = new Map((this.#baseline?.tests ?? []).map(test => [testKey(test), test]))
    const flaky = now.tests.filter(test => isOtherVerdict(test, before.get(testKey(test))))
    for (const test of now.tests) before.delete(testKey(test))
    // Tests that an interrupted run has not reached keep their earlier results, which are not current.
    this.#baseline = {
      ...now,
      files: { ...this.#baseline?.files, ...now.files },
      tests: [...now.tests, ...before.values()],
    }
    this.#run_id = run.info.run_id
    this.#planned = new Set(attempts.map(attempt => this.#keyOf(attempt)))
    return flaky
  }

  /** Leaves the tests of a cycle in a plan; the results of the others are carried over. */
  select(plan: Plan, tests: CycleTests): AffectedRun {
    const reference = { name: `run ${this.#run_id}`, baseline: this.#baseline }
    if (!reference.baseline || tests === 'all') return { plan, statuses: newTests(plan) }
    const statuses = this.#statusOf(plan, reference.name, reference.baseline).map(status => {
      const reason = this.#reasonToRepeat(status, tests)
      return reason === undefined ? status : { ...status, state: 'changed' as const, reasons: [reason] }
    })
    const affected = affectedPlan(plan, statuses, reference, this.#recordedPath)
    return { plan: affected.carried?.tests.length === 0 ? plan : affected, statuses }
  }

  /** The status of each test. An error is a result: only a change, or a key, makes the attempt again. */
  #statusOf(plan: Plan, name: string, baseline: Baseline): TestStatus[] {
    const originals = new Map(baseline.tests.map(test => [{ ...test, errors: 0 }, test]))
    const accepted = { ...baseline, tests: [...originals.keys()] }
    return statusOfTests(plan, { name, baseline: accepted }, this.#recordedPath).map(status => {
      const known = status.known && originals.get(status.known)
      const wasPlanned = !known && this.#planned.has(this.#keyOf(status.attempts[0]))
      return { ...status, known, ...(wasPlanned ? { reasons: ['not run yet'] } : {}) }
    })
  }

  #reasonToRepeat({ known, state, attempts: [first] }: TestStatus, tests: CycleTests): string | undefined {
    if (state !== 'current') return undefined
    if (tests === 'again' && this.#planned.has(this.#keyOf(first))) return 'run again'
    if (tests === 'failed' && known && isFailure(known)) return `run again after ${known.verdict}`
    return undefined
  }

  #keyOf({ suite, test, target }: Attempt): string {
    return compositeKey(suite.name, test.id, target.name, this.#recordedPath(test.at.file))
  }
}

function newTests({ attempts }: Plan): TestStatus[] {
  return [...trialsOfTests(attempts)].map(trials => ({
    attempts: trials,
    state: 'new',
    known: undefined,
    reasons: [],
    moved_from: undefined,
  }))
}

/** Whether a result is one to try again: not in quarantine, where failures do not count, and not an expected failure. */
function isFailure({ verdict, quarantine, expected_failure }: BaselineTest): boolean {
  if (quarantine) return false
  return verdict === 'error' || (verdict !== 'pass' && expected_failure === undefined)
}

/** Whether a test passed that failed before, though it, its target and its judges are the same. */
function isOtherVerdict(now: BaselineTest, before: BaselineTest | undefined): boolean {
  if (!before || now.run === before.run || now.verdict !== 'pass' || before.verdict !== 'fail') return false
  const isSame = (key: 'test_hash' | 'target_hash' | 'judges_hash') => now[key] === before[key]
  return isSame('test_hash') && isSame('target_hash') && isSame('judges_hash')
}
