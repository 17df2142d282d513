import { shortHash } from '../lib/sha256.ts'
import type { Attempt } from './attempt.ts'

/** The `index`-th of `of` parts of a plan, from 1. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** Whether an attempt belongs to a part. The tests of a conversation stay together. */
export function inShard(attempt: Attempt, { index, of }: Shard): boolean {
  const key = conversationOf(attempt) ?? attempt.id
  return Number.parseInt(shortHash(key).slice(0, 8), 16) % of === index - 1
}

/** What attempts have in common that run one after another; undefined for one that stands alone. */
export function conversationOf({ suite, test, target }: Attempt): string | undefined {
  if (test.conversation_id === undefined) return undefined
  return JSON.stringify([suite.name, test.conversation_id, target.name])
}
