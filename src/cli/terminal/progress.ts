import type { Result } from '../../model/result.ts'
import type { RunEvent } from '../../run/ask-target.ts'

/** What people see while a run goes on. */
export interface Progress {
  event(event: RunEvent): void
  result(result: Result): void
  /** A line that stays. */
  say(text: string): void
  end(): void
}

/** Nothing but what must be said. */
export function silent(write: (text: string) => void): Progress {
  return { event() {}, result() {}, say: text => write(`${text}\n`), end() {} }
}
