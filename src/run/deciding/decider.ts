import type { Attempt } from '../../model/attempt.ts'
import type { Decision, Evidence } from '../../model/decision.ts'
import type { GradedFacts } from '../../model/shared-checks.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { PlanRunner } from '../run-plan.ts'

/** The recorded verdict of an attempt; undefined if it has none. */
export type VerdictOf = (attemptId: string) => Verdict | undefined

/** The recorded facts of an attempt; undefined if it has none. */
export type FactsOf = (attemptId: string) => GradedFacts | undefined

/** Chooses attempts until the question of a run is decided. */
export interface Decider {
  /** Returns the attempts to make next; none if everything is decided. Those before must be recorded. */
  next(): readonly Attempt[]
  /** Takes the recorded result of an attempt into account, in whatever order attempts finish. */
  record(attemptId: string): void
  readonly isDecided: boolean
  /** The most attempts that it could choose. */
  readonly most: number
  /** Whether an attempt counts in a decision; the others finished after it. */
  counts(attemptId: string): boolean
  /** How far each decision is. */
  readonly evidence: readonly Evidence[]
  /** The decisions of a run that is decided. */
  readonly decisions: readonly Decision[]
}

interface DecidingRun {
  readonly runner: PlanRunner
  /** Adds attempts to the records before they are made. */
  announce(attempts: readonly Attempt[]): Promise<void>
  readonly verdictOf: VerdictOf
}

/** Runs the attempts that a decider chooses, batch by batch; a batch depends only on the results of those before it. */
export function runUntilDecided(decider: Decider, { runner, announce, verdictOf }: DecidingRun): PlanRunner {
  return async function* (plan, context) {
    while (!context.stop.aborted) {
      const attempts = decider.next()
      if (attempts.length === 0) return
      await announce(attempts)
      yield* runner({ ...plan, attempts }, context)
      // Attempts that were given up have no result, so the next choice is unknown.
      if (attempts.some(({ id }) => verdictOf(id) === undefined)) return
    }
  }
}
