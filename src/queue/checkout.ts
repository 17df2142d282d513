import type { Attempt } from '../model/attempt.ts'
import type { Plan } from '../model/plan.ts'
import type { RunContext } from '../run/run-plan.ts'
import type { Asked, AttemptRef } from './job.ts'

/** What a worker takes from its own machine. */
export interface Checkout {
  /** The attempt that is meant, as it is written here; or why it cannot be made here. */
  find(ref: AttemptRef, asked: Asked, run: string): Promise<FoundAttempt | Refusal>
  /** Forgets what was loaded for a run. */
  forget(run: string): void
  /** What a run needs besides, of this machine. */
  context(asked: Asked): Pick<RunContext, 'cache' | 'recordings' | 'recordedPath' | 'turns'>
  /** A value without the secrets of this machine. */
  redacted<T>(value: T): T
}

export interface FoundAttempt {
  readonly attempt: Attempt
  readonly plan: Pick<Plan, 'hashes' | 'judgeOf'>
}

export interface Refusal {
  readonly refusal: string
}
