import type { Answer } from '../model/answer.ts'
import type { Prompt } from '../model/prompt.ts'

/** A question to a target. Throws `NoAnswer` where there is none, `NotRun` where the attempt is not made after all. */
export type Ask = (prompt: Prompt, stop: Stop) => Promise<Answer>

/** What can end a question: an `AbortController`, which makes its signal, a costly thing, for whoever looks at it first. */
export interface Stop {
  readonly signal: AbortSignal
}

/** Something around a question that is not the target's business. */
export type Policy = (ask: Ask) => Ask

/** An attempt that is given up before it has a result: it leaves no record, and a later resume makes it. */
export class NotRun extends Error {
  override readonly name = 'NotRun'
  readonly reason: 'stopped' | 'budget'

  constructor(reason: NotRun['reason']) {
    super(`not run: ${reason}`)
    this.reason = reason
  }
}
