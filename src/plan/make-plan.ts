import { addDefined } from '../lib/objects.ts'
import { shortHash } from '../lib/sha256.ts'
import { isApplicable } from '../model/applicability.ts'
import { type Arm, type Attempt, countTests } from '../model/attempt.ts'
import type { ComparedRuns } from '../model/compared-runs.ts'
import { markOf } from '../model/mark.ts'
import type { FileHashes, JudgeOf, NotApplicable, Plan, SkippedTest, TargetContents } from '../model/plan.ts'
import type { Suite } from '../model/suite.ts'
import type { Target } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import { type TestFilter, testMatcher } from '../model/test-filter.ts'
import { armHashes } from './arm-hashes.ts'
import { ArmPairs } from './arm-pairs.ts'
import { comparedContents } from './compared-content.ts'
import { attemptId, Identities } from './identity.ts'
import { attemptsInShard, type Shard } from './units.ts'

/** Tests of a suite. */
export interface SuiteTests {
  readonly suite: Suite
  readonly tests: readonly Test[]
}

interface PlanInput {
  readonly selected: readonly SuiteTests[]
  readonly skipped: readonly SkippedTest[]
  armsOf(suite: Suite, test: Test): readonly Arm[]
  readonly judgeOf: JudgeOf
  /** Answers of earlier runs that checks compare with. */
  readonly compared_runs?: ComparedRuns | undefined
  readonly judges: readonly Target[]
  readonly hashes: FileHashes
  readonly contents: TargetContents
  /** Number of tests in the suites, selected or not. */
  readonly available_tests: number
  /** Number of trials; overrides tests and suites. */
  readonly trials?: number | undefined
  /** Lowest score that passes; overrides tests and suites. */
  readonly threshold?: number | undefined
  readonly shard?: Shard | undefined
  /** Number of equal tests in earlier suites that are not part of this plan. */
  readonly equals_before?: number | undefined
}

/** Plans tests × targets × trials. */
export function makePlan(input: PlanInput): Plan {
  const { selected, skipped, armsOf, judgeOf, trials, shard, equals_before = 0, ...facts } = input
  const identities = new Identities(facts.hashes, facts.contents)
  const equals = new EqualTests(selected)
  const armPairs = new ArmPairs()
  const all: Attempt[] = []
  const not_applicable: NotApplicable[] = []
  for (const { suite, tests } of selected) {
    const comparedBy = comparedContents({ suite, tests }, identities, input.compared_runs)
    for (const test of tests) {
      const threshold = input.threshold ?? test.execution.threshold ?? suite.execution.threshold
      const arms = armsOf(suite, test)
      const hashesIn = armHashes({ suite, test, threshold }, comparedBy(test, arms), identities)
      const mark = markOf(suite, test)
      const count = trials ?? test.execution.trials ?? suite.execution.trials ?? 1
      armPairs.add(arms)
      for (const arm of arms) {
        const { target, is_control, control_of, variant } = arm
        if (!isApplicable(test.checks, target)) {
          not_applicable.push({ suite, test, target })
          continue
        }
        const target_hash = identities.target(target)
        const judges_hash = identities.judges({ suite, test, target }, judgeOf)
        const { request_id, test_hash, checks_hash, shared_hash } = hashesIn(arm)
        const occurrence = equals_before + equals.add(suite, arms, { test_hash, target_hash })
        for (let trial = 1; trial <= count; trial++) {
          const id = attemptId(test_hash, target_hash, trial, occurrence)
          const index = all.length
          const always = {
            id,
            index,
            suite,
            test,
            target,
            trial,
            occurrence,
            request_id,
            test_hash,
            checks_hash,
            target_hash,
            judges_hash,
          }
          all.push(addDefined(always, { is_control, control_of, variant, shared_hash, threshold, mark }))
        }
      }
    }
  }
  const id = shortHash(all.map(attempt => attempt.id).join(' '))
  const attempts = shard ? attemptsInShard(all, shard) : all
  const judge_hashes = Object.fromEntries(facts.judges.map(judge => [judge.name, identities.judge(judge)]))
  const selected_tests = selected.reduce((sum, { tests }) => sum + tests.length, skipped.length)
  const totals = { total: all.length, total_tests: countTests(all), selected_tests }
  const shared = { attempts, not_applicable, skipped, arms: armPairs.pairs, planned: attempts.length }
  return { id, ...totals, ...shared, judgeOf, judge_hashes, ...facts }
}

/** Counts equal tests on a target: two suites of the same name may contain some, and so may two arms of one test. */
class EqualTests {
  /** Names of several suites. Within one, no two tests have the same id. */
  readonly #sharedNames: ReadonlySet<string>
  /** By target, then by test: no key is made for each of them. */
  readonly #counts = new Map<string, Map<string, number>>()

  constructor(selected: readonly SuiteTests[]) {
    const seen = new Set<string>()
    const again = selected.filter(({ suite }) => seen.size === seen.add(suite.name).size)
    this.#sharedNames = new Set(again.map(({ suite }) => suite.name))
  }

  /** Adds a test, and returns its number among those that equal it. */
  add(
    { name }: Suite,
    arms: readonly Arm[],
    { test_hash, target_hash }: Pick<Attempt, 'test_hash' | 'target_hash'>,
  ): number {
    if (arms.length === 1 && !this.#sharedNames.has(name)) return 1
    const counts = this.#counts.get(target_hash) ?? new Map<string, number>()
    const count = (counts.get(test_hash) ?? 0) + 1
    this.#counts.set(target_hash, counts.set(test_hash, count))
    return count
  }
}

/** Selects tests by suite; suites without a selected test are dropped. */
export function selectTests(suites: readonly Suite[], filter: TestFilter): SuiteTests[] {
  const isSelected = testMatcher(filter)
  return suites.map(suite => ({ suite, tests: suite.tests.filter(isSelected) })).filter(({ tests }) => tests.length > 0)
}
