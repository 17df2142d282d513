import type { Decision, Evidence } from '../../model/decision.ts'
import type { Plan } from '../../model/plan.ts'
import type { Result } from '../../model/result.ts'
import { factsOf } from '../../model/run-reader.ts'
import type { GradedFacts } from '../../model/shared-checks.ts'
import type { RunFolder } from '../../record/run-folder.ts'
import { CertainPassRate } from '../../run/deciding/certain-pass-rate.ts'
import { createDecider } from '../../run/deciding/create-decider.ts'
import { type Decider, runUntilDecided } from '../../run/deciding/decider.ts'
import type { PlanRunner } from '../../run/run-plan.ts'
import type { CompleteRequest } from './run-request.ts'

/** What ends a run before its last attempt: a decision, or a pass rate that nothing can change any more. */
export interface RunDecision {
  readonly isDecided: boolean
  readonly decisions: readonly Decision[]
  /** Says how far the decisions are; undefined if the run does not go on until it is decided. */
  readonly evidence: (() => readonly Evidence[]) | undefined
  /** The most attempts that could be made; undefined if that is what the plan has. */
  readonly most: number | undefined
  /** Makes the attempts that are needed. */
  runner(records: PlanRunner): PlanRunner
  /** Takes the result of an attempt before the next one starts. */
  onResult(result: Result): void
  /** Records the decisions of a run that is decided. */
  record(): Promise<void>
}

/** Creates what decides a run; undefined if all of its attempts are made in any case. */
export function runDecision(plan: Plan, request: CompleteRequest, folder: RunFolder): RunDecision | undefined {
  const { deciding, min_pass_rate } = request
  const results = new Map<string, GradedFacts>(Array.from(folder.facts(), facts => [facts.attempt_id, facts]))
  const decider = deciding && createDecider(plan, { deciding, min_pass_rate }, id => results.get(id))
  if (decider) return untilDecided(decider, folder, results)
  // A rate of 0 asks for nothing but the report.
  if (!min_pass_rate || isWholeNeeded(request) || plan.attempts.some(({ mark }) => mark)) return undefined
  return untilCertain(plan, min_pass_rate, folder)
}

/**
 * A corrected pass rate is not certain before all answers are judged. A shard does not know the other tests, and the plan of an affected run not those that are carried over; a comparison
 * with saved results or with the control arm and a rerun need all attempts.
 */
function isWholeNeeded({ shard, rerun_failed, against, affected, ...gates }: CompleteRequest): boolean {
  if (gates.gate === 'corrected') return true
  const isCompared = against !== undefined || gates.fail_on_regression || gates.fail_on_new_failures
  return shard !== undefined || rerun_failed !== undefined || affected || isCompared || gates.require_better || false
}

function untilDecided(decider: Decider, folder: RunFolder, results: Map<string, GradedFacts>): RunDecision {
  const announce = (attempts: Parameters<RunFolder['extendPlan']>[0]) => folder.extendPlan(attempts)
  return {
    get isDecided() {
      return decider.isDecided
    },
    get decisions() {
      return decider.decisions
    },
    evidence: () => decider.evidence,
    most: decider.most,
    runner: runner => runUntilDecided(decider, { runner, announce, verdictOf: id => results.get(id)?.verdict }),
    onResult(result) {
      results.set(result.attempt_id, factsOf(result))
      decider.record(result.attempt_id)
    },
    async record() {
      const late_attempts = [...folder.facts()].map(({ attempt_id }) => attempt_id).filter(id => !decider.counts(id))
      const isPaired = decider.decisions.some(({ control }) => control !== undefined)
      // Pairs that are not needed any more were never planned tests.
      if (isPaired) await folder.trimPlan()
      await folder.amend({ decisions: [...decider.decisions], ...(late_attempts.length > 0 ? { late_attempts } : {}) })
    },
  }
}

function untilCertain(plan: Plan, min_pass_rate: number, folder: RunFolder): RunDecision {
  const certain = new CertainPassRate(
    plan.attempts.filter(({ added }) => !added),
    min_pass_rate,
  )
  for (const facts of folder.facts()) certain.record(facts)
  return {
    get isDecided() {
      return certain.isDecided
    },
    get decisions() {
      return certain.decisions
    },
    evidence: undefined,
    most: undefined,
    runner: runner => runner,
    onResult: result => certain.record(result),
    async record() {
      if (folder.index.size < folder.planned) await folder.amend({ decisions: [...certain.decisions] })
    },
  }
}
