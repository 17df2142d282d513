import type { Answer } from '../model/answer.ts'
import type { Prompt } from '../model/prompt.ts'

/** Sends a prompt to a target. Throws `NoAnswer` if there is no answer, `NotRun` if the attempt is given up. */
export type Ask = (prompt: Prompt, stop: Stop) => Promise<Answer>

/** Ends a request. Usually an `AbortController`, which creates its signal on first use: creating one is expensive. */
export interface Stop {
  readonly signal: AbortSignal
}

/** Wraps a request: timeout, retry, cache, and so on. */
export type Policy = (ask: Ask) => Ask

/** An attempt that is given up before it has a result. It leaves no record, so that a resumed run makes it. */
export class NotRun extends Error {
  override readonly name = 'NotRun'
  readonly reason: 'stopped' | 'budget'

  constructor(reason: NotRun['reason']) {
    super(`not run: ${reason}`)
    this.reason = reason
  }
}
