import type { Attempt } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import type { Result } from '../model/result.ts'
import type { RunContext } from '../run/run-plan.ts'
import type { AttemptRef, RunSettings } from './protocol.ts'

export interface WorkerOptions {
  readonly name: string
  readonly version: string
  /** How many attempts it makes at once. */
  readonly workers: number
  /** How long it may be silent before others take its attempts. */
  readonly lease_ms: number
  /** Ends when the queues are empty; and where there is nothing to do within this time. */
  readonly once_ms: number | undefined
  readonly host: Host
  readonly checkout: Checkout
  /** Nothing new begins, and what has begun is finished. */
  readonly finish: AbortSignal
  /** What has begun is ended and given back. */
  readonly giveBack: AbortSignal
  say(text: string): void
  onResult(result: Result): void
}

/** What a worker takes from its own machine. */
export interface Checkout {
  /** The attempt that is meant, as it is written here; or why it cannot be made here. */
  find(ref: AttemptRef, asked: RunSettings, run: string): Promise<FoundAttempt | Refusal>
  /** Forgets what was loaded for a run. */
  forget(run: string): void
  /** What a run needs besides, of this machine. */
  context(asked: RunSettings): Pick<RunContext, 'cache' | 'recordings' | 'recordedPath' | 'turns'>
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
