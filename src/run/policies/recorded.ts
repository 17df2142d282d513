import type { Answer } from '../../model/answer.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { Policy } from '../ask.ts'

/** The answers of a run: those that it has already, and where new ones are kept as they arrive. */
export interface AnswerLog {
  get(attemptId: string): Answer | undefined
  add(prompt: Prompt, answer: Answer): void
}

/** An answer that the run has already is not asked for again; a new one is kept before anything else is done with it. */
export function recorded(log: AnswerLog): Policy {
  return ask => async (prompt, stop) => {
    const known = log.get(prompt.attempt_id)
    if (known) return known
    const answer = await ask(prompt, stop)
    log.add(prompt, answer)
    return answer
  }
}
