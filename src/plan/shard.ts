import type { Attempt } from '../model/attempt.ts'

/** The `index`-th of `of` parts of a plan, from 1. */
export interface Shard {
  readonly index: number
  readonly of: number
}

/** The attempts of a part: every `of`-th test of the plan, on all its targets. A conversation counts as one test. */
export function attemptsInShard(attempts: readonly Attempt[], { index, of }: Shard): Attempt[] {
  const positions = new Map<unknown, number>()
  return attempts.filter(attempt => {
    const { suite, test } = attempt
    const unit = test.conversation_id === undefined ? test : JSON.stringify([suite.name, test.conversation_id])
    const position = positions.get(unit) ?? positions.size
    positions.set(unit, position)
    return position % of === index - 1
  })
}

/** What attempts have in common that run one after another; undefined for one that stands alone. */
export function conversationOf({ suite, test, target }: Attempt): string | undefined {
  if (test.conversation_id === undefined) return undefined
  return JSON.stringify([suite.name, test.conversation_id, target.name])
}
