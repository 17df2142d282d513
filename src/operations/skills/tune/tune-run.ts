import type { RunObserver } from '../../run/run-observer.ts'

/** Watches a tuning session. */
export interface TuningObserver extends RunObserver {
  /** A step begins, in words. */
  onStep?(text: string): void
}

/** How a tuning session is watched and stopped. */
export interface TuneRun {
  readonly observer: TuningObserver
  readonly signal?: AbortSignal | undefined
  /** Whether the records of the same session are discarded. */
  readonly fresh?: boolean | undefined
}
