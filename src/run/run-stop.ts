import type { RunEvent } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import { isQuarantined } from '../model/mark.ts'
import { NotRun, type Stop } from './ask.ts'

/** Why a run ended before its last attempt. */
export type StopReason = 'signal' | 'budget' | 'fail-fast' | 'records' | 'decided'

/** Stops a run: after a signal, the first failure (`fail_fast`), a decision, or an error while records are written. */
export class RunStop {
  readonly #failFast: boolean
  readonly #stop = new AbortController()
  readonly #abort: AbortController
  reason: StopReason | undefined

  constructor({ fail_fast = false }: { readonly fail_fast?: boolean | undefined }, host: Host) {
    this.#failFast = fail_fast
    this.#abort = host.clock.createAbortController()
  }

  /** Aborts when no attempt may start anymore. */
  get stopping(): AbortSignal {
    return this.#stop.signal
  }

  /** Aborts when running attempts must end. */
  get aborting(): Stop {
    return this.#abort
  }

  /** Starts no new attempts and, unless the run has what it needs, ends running ones. */
  stop(reason: Exclude<StopReason, 'budget'>): void {
    this.reason ??= reason
    this.#stop.abort()
    if (reason !== 'fail-fast' && reason !== 'decided') this.#abort.abort(new NotRun('stopped'))
  }

  /** Stops the run when the signal aborts. Returns a function that ends this. */
  follow(signal: AbortSignal | undefined): () => void {
    const interrupt = () => this.stop('signal')
    signal?.addEventListener('abort', interrupt, { once: true })
    if (signal?.aborted) interrupt()
    return () => signal?.removeEventListener('abort', interrupt)
  }

  /** Stops the run if the event requires it. */
  onEvent(event: RunEvent): void {
    if (event.type === 'given-up' && event.reason === 'budget') this.reason ??= 'budget'
    if (event.type === 'finished' && this.#failFast && isFailure(event)) this.stop('fail-fast')
  }
}

/** Whether an attempt fails the gate: those of a control arm or in quarantine do not, nor does an expected failure. */
function isFailure({ attempt, result: { verdict } }: Extract<RunEvent, { type: 'finished' }>): boolean {
  if (attempt.is_control || isQuarantined(attempt)) return false
  return verdict === 'error' || (verdict === 'fail' && attempt.mark === undefined)
}
