import type { Attempt } from '../model/attempt.ts'
import type { Mark } from '../model/mark.ts'
import type { Plan } from '../model/plan.ts'
import type { Rerun } from '../model/run-info.ts'
import type { ResultFacts } from '../model/run-reader.ts'
import { attemptId } from './identity.ts'

/** A plan with the attempts of reruns. */
export interface RerunPlan {
  readonly plan: Plan
  /** All reruns of the run, including a new one that has attempts. */
  readonly reruns: readonly Rerun[]
  /** Ids of replaced attempts: their recorded results no longer count. */
  readonly replaced: readonly string[]
}

/** The newest result of an attempt. */
type Recorded = (attemptId: string) => ResultFacts | undefined

/**
 * Adds the attempts of earlier reruns and recorded trials beyond the planned ones to a plan. With `started`, also adds a
 * new rerun: another trial for each failed attempt without one. An error that says nothing about the agent is replaced.
 */
export function addReruns(
  plan: Plan,
  earlier: readonly Rerun[],
  results: Iterable<ResultFacts>,
  started?: string,
): RerunPlan {
  const next = earlier.length + 1
  const newest = new Map(Array.from(results, facts => [facts.attempt_id, facts] as const))
  const recorded: Recorded = id => newest.get(id)
  const besides = new UnplannedAttempts(earlier, newest)
  const replacing = new Map<string, number>()
  const pending = pendingReplacements(earlier, recorded)
  const attempts: Attempt[] = []
  for (const trials of trialsOfTests(plan.attempts)) {
    const made = [...trials, ...besides.of(trials)]
    if (started !== undefined) addFailed(made, recorded, next)
    for (const attempt of made) {
      const isAgain = started !== undefined && recorded(attempt.id)?.is_replaceable
      const rerun = isAgain ? next : pending.get(attempt.id)
      if (rerun !== undefined) replacing.set(attempt.id, rerun)
      attempts.push(rerun === undefined ? attempt : { ...attempt, rerun })
    }
  }
  const added = attempts.filter(({ added, rerun }) => added && rerun === next).map(({ id }) => id)
  const replaced = [...replacing.keys()]
  const now = replaced.filter(id => replacing.get(id) === next)
  const isNew = started !== undefined && added.length + now.length > 0
  return {
    plan: { ...plan, attempts },
    reruns: isNew ? [...earlier, { started, added, replaced: now }] : earlier,
    replaced,
  }
}

/** Adds a trial for each failed attempt that has no added trial yet. */
function addFailed(made: Attempt[], recorded: Recorded, rerun: number): void {
  const failed = made.filter(({ id, mark }) => isFailure(recorded(id), mark)).length
  const added = made.filter(attempt => attempt.added || recorded(attempt.id)?.added).length
  let trial = made.reduce((most, attempt) => Math.max(most, attempt.trial), 0)
  const [first] = made
  for (let count = added; first && count < failed; count++)
    made.push({ ...withTrial(first, ++trial), rerun, added: true })
}

/** Attempts that are not in the plan: of reruns, and recorded trials beyond the planned ones. */
class UnplannedAttempts {
  readonly #recorded: Recorded
  readonly #reruns: ReadonlyMap<string, number>
  /** The highest recorded trial of each test on each target. */
  readonly #most = new Map<string, number>()

  constructor(earlier: readonly Rerun[], newest: ReadonlyMap<string, ResultFacts>) {
    this.#recorded = id => newest.get(id)
    this.#reruns = new Map(earlier.flatMap(({ added }, index) => added.map(id => [id, index + 1] as const)))
    for (const { test_hash = '', target_hash = '', trial } of newest.values()) {
      const key = `${test_hash} ${target_hash}`
      this.#most.set(key, Math.max(this.#most.get(key) ?? 0, trial))
    }
  }

  /** The unplanned attempts of the test whose planned trials are given. */
  of(trials: readonly Attempt[]): Attempt[] {
    const last = trials.at(-1) as Attempt
    const most = this.#most.get(`${last.test_hash} ${last.target_hash}`) ?? 0
    const besides: Attempt[] = []
    if (last.trial >= most && this.#reruns.size === 0) return besides
    for (let trial = last.trial + 1; ; trial++) {
      const later = withTrial(last, trial)
      const rerun = this.#reruns.get(later.id)
      if (rerun === undefined && trial > most) return besides
      const facts = this.#recorded(later.id)
      if (facts) besides.push({ ...later, rerun: facts.rerun, added: facts.added })
      else if (rerun !== undefined) besides.push({ ...later, rerun, added: true })
    }
  }
}

/** The same attempt in another trial. */
export function withTrial(attempt: Attempt, trial: number): Attempt {
  const { test_hash, target_hash, occurrence } = attempt
  return {
    ...attempt,
    id: attemptId(test_hash, target_hash, trial, occurrence),
    trial,
    rerun: undefined,
    added: undefined,
  }
}

/** Attempts that an earlier rerun should have replaced, but did not. */
function pendingReplacements(earlier: readonly Rerun[], recorded: Recorded): Map<string, number> {
  const pending = new Map<string, number>()
  for (const [index, { replaced }] of earlier.entries()) {
    for (const id of replaced) {
      const facts = recorded(id)
      if (facts && (facts.rerun ?? 0) <= index) pending.set(id, index + 1)
    }
  }
  return pending
}

/** Whether an attempt is repeated: not in quarantine, where failures do not count, and not an expected failure. */
function isFailure(facts: ResultFacts | undefined, mark: Mark | undefined): boolean {
  if (mark?.kind === 'quarantine') return false
  return (facts?.verdict === 'fail' && !mark) || (facts?.verdict === 'error' && !facts.is_replaceable)
}

/** Groups attempts by test and target; their trials are adjacent in a plan. */
export function* trialsOfTests(attempts: readonly Attempt[]): Generator<[Attempt, ...Attempt[]]> {
  let trials: [Attempt, ...Attempt[]] | undefined
  for (const attempt of attempts) {
    if (trials && attempt.test === trials[0].test && attempt.target === trials[0].target) trials.push(attempt)
    else {
      if (trials) yield trials
      trials = [attempt]
    }
  }
  if (trials) yield trials
}
