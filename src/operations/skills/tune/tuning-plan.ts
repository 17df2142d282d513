import type { TuningQuery } from '../../../model/tuning.ts'
import { UserError } from '../../../model/user-error.ts'
import { minDiffering } from '../../../report/compare/evidence.ts'
import { shareFor } from '../../../report/compare/power.ts'
import { MOST_CALLS } from '../../proposals/gather-proposals.ts'

/** How much a tuning session asks. */
export interface TuningEffort {
  /** How often each held-out query is asked with each description. */
  readonly trials: number
  /** How often each training query is asked with each description. */
  readonly training_trials: number
  readonly rounds: number
  /** Number of descriptions that a round proposes. */
  readonly proposals: number
}

/** What a tuning session will do, and what it can show, before anything is asked. */
export interface TuningPlan {
  readonly training: number
  readonly held_out: number
  /** How often the agent is started: with one round, and at most. */
  readonly starts: { readonly usual: number; readonly most: number }
  /** How often the proposer is asked: with one round, and at most. */
  readonly proposer_calls: { readonly usual: number; readonly most: number }
  /** Fewest held-out queries that must change for a decision. */
  readonly least_changed: number
  /** Smallest difference in the share of right answers that can be shown at all. */
  readonly least_difference: number
  /** Smallest difference that is shown in four of five sessions. */
  readonly likely_difference: number
  /** Fewest queries of which enough are held out to show a difference of 0.3 in four of five sessions. */
  readonly queries_for_less: number
}

/** The difference that sets of queries are usually made for. */
const USUAL_DIFFERENCE = 0.3

/** Throws if the held-out queries can never show a difference. */
export function planTuning(queries: readonly TuningQuery[], effort: TuningEffort): TuningPlan {
  const { trials, training_trials, rounds, proposals } = effort
  const training = queries.filter(({ part }) => part === 'training').length
  const held_out = queries.length - training
  const least_changed = minDiffering({ is_binary: trials === 1 })
  const share = held_out / queries.length
  if (held_out < least_changed) throw tooFewHeldOut(held_out, least_changed, share)
  const round = proposals * training * training_trials
  const fixed = training * training_trials + 2 * held_out * trials
  return {
    training,
    held_out,
    starts: { usual: fixed + round, most: fixed + rounds * round },
    proposer_calls: { usual: 1, most: rounds * MOST_CALLS },
    least_changed,
    least_difference: least_changed / held_out,
    likely_difference: shareFor(least_changed, held_out),
    queries_for_less: Math.ceil(testsFor(USUAL_DIFFERENCE, least_changed) / share),
  }
}

/** The number of tests of which `least` or more differ in four of five cases. */
function testsFor(difference: number, least: number): number {
  let tests = least
  while (shareFor(least, tests) > difference) tests++
  return tests
}

function tooFewHeldOut(held_out: number, least: number, share: number): UserError {
  return new UserError(
    `Only ${held_out} queries are held out, and at least ${least} must change for a decision: no description could be shown to be better.`,
    `Write more queries (at least ${Math.ceil(least / share)}), or hold out more of them with --held-out.`,
  )
}
