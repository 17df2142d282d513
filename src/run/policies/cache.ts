import type { Answer } from '../../model/answer.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { Policy } from '../ask.ts'

/** Answers by what was asked. */
export interface AnswerCache {
  get(key: string): Promise<Answer | undefined>
  set(key: string, answer: Answer): Promise<void>
}

/** What a question is known by; nothing for one that may have another answer each time. */
export type KeyOf = (prompt: Prompt) => string | undefined

/** Takes an answer that was given before to the same question, in the same trial. One that cannot be kept is said, not lost. */
export function cached(cache: AnswerCache, keyOf: KeyOf, problem: (error: Error) => void): Policy {
  return ask => async (prompt, stop) => {
    const key = keyOf(prompt)
    if (key === undefined) return ask(prompt, stop)
    const known = await cache.get(key)
    if (known) return known
    const answer = await ask(prompt, stop)
    await cache.set(key, answer).catch(problem)
    return answer
  }
}
