import { NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Policy } from '../ask.ts'

/** How often a question is asked again where the target does not say. */
export const DEFAULT_RETRIES = 3

const FIRST_WAIT_MS = 500

/** Asks again when that may help: after the time that the other side names, else after ever longer ones. Never in silence. */
export function retry(retries: number, host: Host, waiting: OnWait): Policy {
  return ask => async (prompt, stop) => {
    let failed_calls = 0
    for (let again = 0; ; again++) {
      const outcome = await ask(prompt, stop).catch((error: unknown) => retryable(error, again, retries))
      if (!(outcome instanceof NoAnswer)) return failed_calls === 0 ? outcome : { ...outcome, failed_calls }
      // What never reached the agent says nothing of it.
      if (!outcome.never_reached) failed_calls++
      const ms = waitBefore(again, outcome, host)
      waiting(ms, outcome.message)
      await host.clock.sleep(ms, stop.signal)
      stop.signal.throwIfAborted()
    }
  }
}

/** Says who waits, how long and why. */
export type OnWait = (ms: number, reason: string) => void

/** An error after which it is worth to ask again; any other is thrown. */
function retryable(error: unknown, again: number, retries: number): NoAnswer {
  if (!(error instanceof NoAnswer) || !error.retryable) throw error
  if (again >= retries) throw again === 0 ? error : exhausted(error, again + 1)
  return error
}

function waitBefore(again: number, { retry_after_ms = 0 }: NoAnswer, host: Host): number {
  const jitter = 0.5 + host.random()
  return Math.round(Math.max(retry_after_ms, FIRST_WAIT_MS * 2 ** again * jitter))
}

function exhausted(error: NoAnswer, asks: number): NoAnswer {
  return new NoAnswer(error.code, `${error.message} (asked ${asks} times)`, error)
}
