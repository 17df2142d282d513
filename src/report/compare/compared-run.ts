import { groupBy } from '../../lib/collections.ts'
import { canonicalJson } from '../../lib/json/stringify.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { type Outcome, outcomeOf } from '../outcome/run-outcome.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'

/** A run that takes part in a comparison. */
export interface ComparedRun {
  readonly name: string
  /** Undefined where its results do not tell. */
  readonly run_id: string | undefined
  /** The run whose answers it judged again. */
  readonly source: string | undefined
  /** The targets that judged; undefined where there is no `run.json` to tell. */
  readonly judges: Judges | undefined
  readonly outcome: Outcome
  /** Whether planned attempts were not made. */
  readonly is_unfinished: boolean
  readonly targets: ReadonlyMap<string, readonly TestOutcome[]>
}

/** `name` is what the user called the run. */
export function comparedRunOf(name: string, run: RunReader): ComparedRun {
  const outcome = outcomeOf(run)
  return {
    name: run.info?.run_id ?? name,
    run_id: run.info?.run_id ?? firstOf(run.results())?.run_id,
    source: run.info?.source,
    judges: judgesOf(run),
    outcome,
    is_unfinished: outcome.not_run > 0,
    targets: groupBy(outcome.tests, ({ target }) => target),
  }
}

function firstOf<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item
  return undefined
}

/** The targets that judged a run: as they are written, and by the hash of each where the run has them. */
interface Judges {
  readonly written: readonly unknown[]
  readonly hashes: Readonly<Record<string, string>> | undefined
}

function judgesOf({ info }: RunReader): Judges | undefined {
  return info && { written: info.judges ?? [], hashes: info.judge_hashes }
}

/** Whether other models have judged the second run; false where either run does not tell. */
export function judgesDiffer(first: Judges | undefined, second: Judges | undefined): boolean {
  if (!first || !second) return false
  const byHash = first.hashes !== undefined && second.hashes !== undefined
  const [one, other] = byHash ? [first.hashes, second.hashes] : [first.written, second.written]
  return canonicalJson(one) !== canonicalJson(other)
}
