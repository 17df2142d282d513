import { canonicalJson } from '../../lib/json/stringify.ts'
import type { RunReader } from '../../model/run-reader.ts'

/** The targets that judged a run: as they are written, and by the hash of each where the run has them. */
export interface Judges {
  readonly written: readonly unknown[]
  readonly hashes: Readonly<Record<string, string>> | undefined
}

export function judgesOf({ info }: RunReader): Judges | undefined {
  return info && { written: info.judges ?? [], hashes: info.judge_hashes }
}

/** Whether other models have judged the second run; false where either run does not tell. */
export function judgesDiffer(first: Judges | undefined, second: Judges | undefined): boolean {
  if (!first || !second) return false
  const byHash = first.hashes !== undefined && second.hashes !== undefined
  const [one, other] = byHash ? [first.hashes, second.hashes] : [first.written, second.written]
  return canonicalJson(one) !== canonicalJson(other)
}
