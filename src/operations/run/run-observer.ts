import type { RunEvent } from '../../model/attempt.ts'
import type { Evidence } from '../../model/decision.ts'
import type { Result } from '../../model/result.ts'
import type { OpenRecords } from './run-records.ts'

/** Watches a run. */
export interface RunObserver {
  /** The records are open, and no attempt has started. */
  onStart?(opened: OpenRecords): void
  onEvent?(event: RunEvent): void
  /** After each result of a run with `until_decided`; `read` says how far it is from its decisions, and takes time. */
  onEvidence?(read: () => readonly Evidence[]): void
  /** `line` is the record as it was written. */
  onResult?(result: Result, line: string): void
  /** A problem that does not stop the run. */
  onWarning?(message: string): void
  /** News of the queue and its workers. */
  onMessage?(message: string): void
}

/** Two observers as one. */
export function bothObservers(first: RunObserver, second: RunObserver): RunObserver {
  return {
    onStart: opened => {
      first.onStart?.(opened)
      second.onStart?.(opened)
    },
    onEvent: event => {
      first.onEvent?.(event)
      second.onEvent?.(event)
    },
    onEvidence: read => {
      first.onEvidence?.(read)
      second.onEvidence?.(read)
    },
    onResult: (result, line) => {
      first.onResult?.(result, line)
      second.onResult?.(result, line)
    },
    onWarning: message => {
      first.onWarning?.(message)
      second.onWarning?.(message)
    },
    onMessage: message => {
      first.onMessage?.(message)
      second.onMessage?.(message)
    },
  }
}
