import type { Attempt } from './attempt.ts'
import type { Verdict } from './verdict.ts'

/** Progress of a run, for observers. */
export type RunEvent =
  | { readonly type: 'started'; readonly attempt: Attempt }
  | {
      readonly type: 'waiting'
      readonly attempt: Attempt
      /** The target of the attempt, or a judge. */
      readonly target: string
      readonly ms: number
      readonly reason: string
    }
  | { readonly type: 'warning'; readonly attempt: Attempt; readonly message: string }
  | { readonly type: 'finished'; readonly attempt: Attempt; readonly verdict: Verdict }
  | { readonly type: 'given-up'; readonly attempt: Attempt; readonly reason: 'stopped' | 'budget' }
