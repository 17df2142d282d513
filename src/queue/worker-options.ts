import type { Attempt } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import type { Result } from '../model/result.ts'
import type { RunContext } from '../run/run-plan.ts'
import type { AttemptRef, RunSettings } from './protocol.ts'

export interface WorkerOptions {
  readonly name: string
  readonly version: string
  /** How many attempts it runs at once. */
  readonly workers: number
  /** How long it may be silent before other workers take its attempts. */
  readonly lease_ms: number
  /** If set, the worker ends when the queues are empty, and if no run appears within this time. */
  readonly once_ms: number | undefined
  readonly host: Host
  readonly checkout: Checkout
  /** Takes no new jobs, and finishes running ones. */
  readonly finish: AbortSignal
  /** Stops running jobs and returns them to the queue. */
  readonly giveBack: AbortSignal
  say(text: string): void
  onResult(result: Result): void
}

/** What a worker takes from the checkout on its own machine. */
export interface Checkout {
  /** Finds an attempt in this checkout, or the reason why it cannot be run here. */
  find(ref: AttemptRef, settings: RunSettings, run: string): Promise<FoundAttempt | Refusal>
  /** Drops the suites that were loaded for a run. */
  forget(run: string): void
  /** The local parts of the run context. */
  context(settings: RunSettings): Pick<RunContext, 'cache' | 'recordings' | 'recordedPath' | 'semaphore'>
  /** Redacts the secrets of this machine. */
  redacted<T>(value: T): T
}

export interface FoundAttempt {
  readonly attempt: Attempt
  readonly plan: Pick<Plan, 'hashes' | 'judgeOf'>
}

export interface Refusal {
  readonly refusal: string
}
