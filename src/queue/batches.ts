import type { Attempt } from '../model/attempt.ts'
import { attemptsOf, conversationOf, type Unit } from '../plan/units.ts'

/** A batch is at most this share of what remains, so that workers with this many slots together finish at the same time. */
const SHARES = 64

const MOST = 20

/**
 * Divides units into jobs: a conversation, or a batch of attempts of one suite. Batches become smaller towards the end.
 * Attempts that are not `isBatchable` are jobs of their own.
 */
export function* inJobs(
  units: readonly Unit[],
  isBatchable: (attempt: Attempt) => boolean,
): Generator<readonly Attempt[]> {
  let batch: Attempt[] = []
  for (const [index, unit] of units.entries()) {
    const [first, ...others] = attemptsOf(unit)
    if (!first) continue
    const isAlone = others.length > 0 || conversationOf(first) !== undefined || !isBatchable(first)
    if (batch.length > 0 && (isAlone || batch[0]?.suite !== first.suite)) {
      yield batch
      batch = []
    }
    if (isAlone) yield attemptsOf(unit)
    else if (batch.push(first) >= Math.min((units.length - index) / SHARES, MOST)) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
