import type { Answer } from '../model/answer.ts'
import type { Prompt } from '../model/prompt.ts'

/** A question to a target. Throws `NoAnswer` where there is none, `NotRun` where the attempt is not made after all. */
export type Ask = (prompt: Prompt, signal: AbortSignal) => Promise<Answer>

/** Something around a question that is not the target's business. */
export type Policy = (ask: Ask) => Ask
