import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import type { Checkout } from './checkout.ts'

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
