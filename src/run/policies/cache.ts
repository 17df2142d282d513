import { sha256 } from '../../lib/sha256.ts'
import { type Answer, NoAnswer } from '../../model/answer.ts'
import type { Prompt } from '../../model/prompt.ts'
import type { Policy } from '../ask.ts'

/** A cached answer or failure. */
type Outcome = Answer | Failure

interface Failure {
  readonly no_answer: Pick<NoAnswer, 'code' | 'message'>
}

/** Outcomes by cache key. */
export interface AnswerCache {
  get(key: string): Promise<Outcome | undefined>
  set(key: string, outcome: Outcome): Promise<void>
}

/** Returns the cache key of a prompt, or undefined if its answer must not be cached. */
export type KeyOf = (prompt: Prompt) => string | undefined

interface CacheOptions {
  readonly keyOf: KeyOf
  /** Timeout of the target, which is part of the key of failures; undefined: failures are not cached. */
  readonly timeout_seconds: number | undefined
  problem(error: Error): void
}

/**
 * Returns a cached answer to the same prompt in the same trial, marked as such. Failures of the agent are cached too:
 * otherwise a second run would keep the answers and retry the crashes until they pass.
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

/** The key of failures, if they are cached. */
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

/** Does not cache a request that never reached the agent: it may succeed next time. */
async function keepFailure(error: unknown, key: string | undefined, cache: AnswerCache): Promise<void> {
  if (key === undefined || !(error instanceof NoAnswer) || error.never_reached) return
  await cache.set(key, { no_answer: { code: error.code, message: error.message } })
}
