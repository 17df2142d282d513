import { NoAnswer } from '../../model/answer.ts'
import type { Host } from '../../model/host.ts'
import type { Policy } from '../ask.ts'

/** Retries of a target without `retries`. */
export const DEFAULT_RETRIES = 3

const FIRST_WAIT_MS = 500

/** Retries after temporary errors: after the delay that the service requests, else with exponential backoff. */
export function retry(retries: number, host: Host, waiting: OnWait): Policy {
  return ask => async (prompt, stop) => {
    let failed_calls = 0
    for (let again = 0; ; again++) {
      let failure: NoAnswer
      try {
        const answer = await ask(prompt, stop)
        return failed_calls === 0 ? answer : { ...answer, failed_calls }
      } catch (error) {
        failure = retryable(error, again, retries)
      }
      // A request that never reached the agent is not its failure.
      if (!failure.never_reached) failed_calls++
      const ms = waitBefore(again, failure, host)
      waiting(ms, failure.message)
      await host.clock.sleep(ms, stop.signal)
      stop.signal.throwIfAborted()
    }
  }
}

/** Called before each wait. */
export type OnWait = (ms: number, reason: string) => void

/** Returns an error that allows a retry; throws any other. */
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
