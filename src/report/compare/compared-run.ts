import { groupBy } from '../../lib/collections.ts'
import { canonicalJson } from '../../lib/json/stringify.ts'
import type { Calibration } from '../../model/calibration.ts'
import type { RunReader } from '../../model/run-reader.ts'
import { isFilter, type TestFilter } from '../../model/test-filter.ts'
import { selectedTests } from '../filtered-run.ts'
import { correctedOutcome } from '../outcome/corrected/corrected-rates.ts'
import { allTests } from '../outcome/marked-tests.ts'
import type { Outcome } from '../outcome/run-outcome.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { type SliceNames, sliceKey } from '../slices/slice-key.ts'

export interface ComparedRun {
  readonly name: string
  /** Undefined if the results do not contain it. */
  readonly run_id: string | undefined
  /** The run whose answers it graded again. */
  readonly source: string | undefined
  /** Undefined without a `run.json`. */
  readonly judges: Judges | undefined
  readonly outcome: Outcome
  /** Whether planned attempts have no result. */
  readonly is_unfinished: boolean
  /** Results that were carried over from an earlier run: no evidence. */
  readonly carried: readonly TestOutcome[]
  readonly targets: ReadonlyMap<string, readonly TestOutcome[]>
  /** Identities of the tests that the filter selects; undefined without a filter. */
  readonly selected: ReadonlySet<string> | undefined
  /** The slices of tests; undefined if none are asked for. */
  readonly slice_names: SliceNames | undefined
}

/** What is read of a run besides its outcome. */
export interface ReadOptions {
  readonly filter?: TestFilter | undefined
  readonly by?: string | undefined
  /** The calibrations of the project. */
  readonly calibrations?: readonly Calibration[] | undefined
}

/** `name` is the run as given on the command line. */
export function comparedRunOf(
  name: string,
  run: RunReader,
  { filter = {}, by, calibrations }: ReadOptions = {},
): ComparedRun {
  const outcome = correctedOutcome(run, calibrations)
  const carried = outcome.carried?.tests ?? []
  return {
    name: run.info?.run_id ?? name,
    run_id: run.info?.run_id ?? firstOf(run.results())?.run_id,
    source: run.info?.source,
    judges: judgesOf(run),
    outcome,
    is_unfinished: outcome.not_run > 0,
    carried,
    targets: byTarget(allTests(outcome), carried),
    selected: isFilter(filter) ? selectedTests(run, filter) : undefined,
    slice_names: by === undefined ? undefined : sliceKey(by).namesIn(run),
  }
}

/** The tests that were run on each target; a target stays, though all of its results may be carried over. */
function byTarget(
  tests: readonly TestOutcome[],
  carried: readonly TestOutcome[],
): ReadonlyMap<string, readonly TestOutcome[]> {
  const run = groupBy(tests, ({ target }) => target)
  const others = carried.filter(({ target }) => !run.has(target))
  return new Map<string, readonly TestOutcome[]>([...run, ...others.map(({ target }) => [target, []] as const)])
}

function firstOf<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item
  return undefined
}

/** The judges of a run: their definitions, and their hashes if recorded. */
interface Judges {
  readonly written: readonly unknown[]
  readonly hashes: Readonly<Record<string, string>> | undefined
}

function judgesOf({ info }: RunReader): Judges | undefined {
  return info && { written: info.judges ?? [], hashes: info.judge_hashes }
}

/** Whether two runs had different judges; false if either run does not record them. */
export function judgesDiffer(first: Judges | undefined, second: Judges | undefined): boolean {
  if (!first || !second) return false
  const byHash = first.hashes !== undefined && second.hashes !== undefined
  const [one, other] = byHash ? [first.hashes, second.hashes] : [first.written, second.written]
  return canonicalJson(one) !== canonicalJson(other)
}
