import { shortHash } from '../../lib/sha256.ts'
import { didYouMean } from '../../lib/text/suggestion.ts'
import type { RunInfo } from '../../model/run-info.ts'
import { UserError } from '../../model/user-error.ts'

/** The most judges of a run whose sets are tried: the number of ordered sets grows fast. */
const MOST_JUDGES = 7

/** Names the judges of each `judges_hash` that a run could have. */
export function judgeSets(info: RunInfo | undefined): ReadonlyMap<string, readonly string[]> {
  const judges = Object.entries(info?.judge_hashes ?? {})
  const sets = new Map<string, readonly string[]>()
  if (judges.length > MOST_JUDGES) return sets
  // The hash of an attempt is made of those of its judges in the order of its checks, each once.
  const extend = (names: readonly string[], hashes: readonly string[]) => {
    if (hashes.length > 0) sets.set(shortHash(hashes.join('\n')), [...names].sort())
    for (const [name, hash] of judges) if (!hashes.includes(hash)) extend([...names, name], [...hashes, hash])
  }
  extend([], [])
  return sets
}

/** Whether attempts with a `judges_hash` are judged by a target. Throws if the run has no such judge. */
export function judgedBy(name: string | undefined, info: RunInfo | undefined): (judgesHash: string) => boolean {
  if (name === undefined) return () => true
  const known = Object.keys(info?.judge_hashes ?? {})
  if (!known.includes(name)) {
    const names = known.length === 0 ? 'It names no judges.' : `Its judges: ${known.join(', ')}.`
    throw new UserError(`The run was not judged by ${name}.`, `${didYouMean(name, known, names)}`)
  }
  const sets = judgeSets(info)
  return judgesHash => sets.get(judgesHash)?.includes(name) ?? false
}
