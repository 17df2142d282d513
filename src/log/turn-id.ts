import { shortHash } from '../lib/sha256.ts'
import { withoutKeys } from '../lib/without-keys.ts'
import type { Log } from './log.ts'
import { slugOf } from './slug.ts'

/** The id of the test that a turn of a log becomes. */
export function turnId(log: Log, index: number): string {
  return log.turns.length > 1 ? `${suiteName(log)}-${index + 1}` : suiteName(log)
}

/** What a log is called in a suite: its name, unless a key in its first input has gone into that. */
export function suiteName({ name, turns }: Log): string {
  const input = turns[0]?.input ?? ''
  const cleaned = withoutKeys(input)
  return cleaned === input ? name : `${slugOf(cleaned)}_${shortHash(name)}`
}
