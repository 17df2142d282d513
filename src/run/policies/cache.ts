import { sha256 } from '../../lib/sha256.ts'
import { type Answer, NoAnswer } from '../../model/answer.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { Policy } from '../ask.ts'

/** What a target gave, or how it failed. */
export type Outcome = Answer | Failure

export interface Failure {
  readonly no_answer: Pick<NoAnswer, 'code' | 'message'>
}

/** Outcomes by what was asked. */
export interface AnswerCache {
  get(key: string): Promise<Outcome | undefined>
  set(key: string, outcome: Outcome): Promise<void>
}

/** What a question is known by; nothing for one that may have another answer each time. */
export type KeyOf = (prompt: Prompt) => string | undefined

/** What the policy needs besides the cache. */
interface CacheOptions {
  readonly keyOf: KeyOf
  /** For failures to be kept as well: the time that the target had, by which they are known too. */
  readonly timeout_seconds: number | undefined
  problem(error: Error): void
}

/**
 * Takes an answer that was given before to the same question, in the same trial, and marks it. So with failures of the
 * agent: otherwise running again would keep its answers and try its crashes until they pass.
 */
export function useCache(cache: AnswerCache, options: CacheOptions): Policy {
  return ask => async (prompt, stop) => {
    const key = options.keyOf(prompt)
    if (key === undefined) return ask(prompt, stop)
    const keys = [key, ...failureKey(key, options)]
    const known = await firstOf(keys, cache)
    if (known) return again(known)
    try {
      const answer = await ask(prompt, stop)
      await cache.set(key, answer).catch(options.problem)
      return answer
    } catch (error) {
      await keepFailure(error, keys[1], cache).catch(options.problem)
      throw error
    }
  }
}

/** What failures are kept under, where they are kept. */
function failureKey(key: string, { timeout_seconds }: CacheOptions): string[] {
  return timeout_seconds === undefined ? [] : [sha256(`${key} failed within ${timeout_seconds}`)]
}

async function firstOf(keys: readonly string[], cache: AnswerCache): Promise<Outcome | undefined> {
  for (const key of keys) {
    const known = await cache.get(key)
    if (known) return known
  }
  return undefined
}

function again(known: Outcome): Answer {
  if (!('no_answer' in known)) return { ...known, cached: true }
  throw new NoAnswer(known.no_answer.code, known.no_answer.message, { cached: true })
}

/** What never reached the agent may go well the next time. */
async function keepFailure(error: unknown, key: string | undefined, cache: AnswerCache): Promise<void> {
  if (key === undefined || !(error instanceof NoAnswer) || error.never_reached) return
  await cache.set(key, { no_answer: { code: error.code, message: error.message } })
}
