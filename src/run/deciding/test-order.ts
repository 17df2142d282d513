import { shortHash } from '../../lib/sha256.ts'
import type { Attempt } from '../../model/attempt.ts'

/** Sorts attempts at random by their test, reproducible by seed, whichever tests are among them. */
export function shuffleTests<Item extends Pick<Attempt, 'test_hash' | 'occurrence'>>(
  attempts: readonly Item[],
  seed: number,
): Item[] {
  const keyed = attempts.map(attempt => {
    const { test_hash, occurrence } = attempt
    return { attempt, key: shortHash(`${seed} ${test_hash} ${occurrence}`) }
  })
  return keyed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key))).map(({ attempt }) => attempt)
}
