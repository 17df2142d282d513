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

/** Lets several observers watch one run, in this order. */
export function observers(...all: readonly RunObserver[]): RunObserver {
  const tell = (call: (each: RunObserver) => void) => {
    for (const each of all) call(each)
  }
  return {
    onStart: opened => tell(each => each.onStart?.(opened)),
    onEvent: event => tell(each => each.onEvent?.(event)),
    onEvidence: read => tell(each => each.onEvidence?.(read)),
    onResult: (result, line) => tell(each => each.onResult?.(result, line)),
    onWarning: message => tell(each => each.onWarning?.(message)),
    onMessage: message => tell(each => each.onMessage?.(message)),
  }
}
