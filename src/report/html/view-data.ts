import type { LiveStatus } from '../../model/live-status.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { comparisonData } from '../compare/comparison.ts'
import type { sliceData } from '../compare/comparison-slices.ts'
import type { TitledSection } from '../compare/text/comparison-section.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import type { GroupStatistics, RunFacts } from './page-data.ts'

/**
 * What the view reads. `report.html` contains `PageData` and the results of one run; `assay view` serves them for every
 * run, and the rest, as JSON below its token:
 *
 * | GET | |
 * |---|---|
 * | `api/project` | `ProjectData` |
 * | `api/runs` | `RunsData` |
 * | `api/runs/ID` | `PageData`: overview and packed rows |
 * | `api/runs/ID/tests/INDEX` | `Result[]`: the attempts of the row |
 * | `api/runs/ID/tests/INDEX/history` | `TestHistory` |
 * | `api/runs/ID/tests/INDEX/images/HASH` | bytes of an image, if the file still has this hash |
 * | `api/runs/ID/live` | `LiveData`, polled while the run goes on |
 * | `api/compare/BASE/OTHER` | `ComparisonData` |
 * | `label/…` | of `assay label --browser` alone, see `operations/label/label-page.ts` |
 *
 * `POST api/runs/ID/stop` asks the process of a run to stop, as Ctrl-C does: 202, or 409 if no process works on it.
 * Segments are percent-encoded. INDEX is that of the row in `PageData`, and stays while results are added. What cannot
 * be read or compared is answered with 422 and `{ error }`.
 */
export interface ProjectData {
  /** Name of the folder of the project. */
  readonly name: string
  readonly assay_version: string
}

/** The runs, newest first. */
export interface RunsData {
  readonly runs: readonly ListedRunData[]
  /** How many older ones are not listed. */
  readonly more: number
}

/** A run in the table of runs. */
export interface ListedRunData {
  readonly id: string
  /** Undefined if `run.json` cannot be read. */
  readonly facts: ListedRunFacts | undefined
  readonly started: string | undefined
  /** Why the run has no figures; undefined for a readable run. */
  readonly problem: string | undefined
  /** Each target with pass rate, interval, cost and latency; never pooled. */
  readonly targets: readonly GroupStatistics[]
  readonly tests: number
  /** Time from the first to the last attempt. */
  readonly elapsed_ms: number | undefined
  readonly is_live: boolean
  /** The part of the suites that was run, if not all; or that the run is not finished. */
  readonly partial: string | undefined
  readonly baseline: BaselineVerdict | undefined
  /** The figures are not read yet: the next requests have them. */
  readonly is_unread?: true | undefined
}

export interface ListedRunFacts extends RunFacts {
  readonly label: string | undefined
  readonly commit: string | undefined
  readonly branch: string | undefined
  readonly is_dirty: boolean
  readonly command: string | undefined
  readonly suites: readonly string[]
}

/** What a run is against the baselines of its suites. */
export interface BaselineVerdict {
  readonly verdict: 'better' | 'worse' | 'equivalent' | 'inconclusive' | 'stale'
  readonly text: string
}

/** An image of a test: its address, or why it cannot be shown. */
export type ViewImage = { readonly src: string } | { readonly problem: string }

/** The comparison of two runs as `assay compare --format json` has it, with the rows of tests that changed. */
export interface ComparisonData {
  readonly comparison: { readonly comparisons: readonly ComparedData[] }
  /** What is special about the runs, as `assay compare` words it: partial, other judges, targets that only one has. */
  readonly notes: readonly string[]
  /** Each of `comparison.comparisons` in words, in the same order. */
  readonly sections: readonly TitledSection[]
  readonly changed: readonly ChangedTest[]
}

/** The figures of one comparison, with its slices. */
export type ComparedData = ReturnType<typeof comparisonData> & {
  readonly slices?: readonly ReturnType<typeof sliceData>[]
}

/** A test that differs between two runs, with the rows of both. */
export interface ChangedTest extends Pick<TestOutcome, 'test_id' | 'suite' | 'target'> {
  readonly before: {
    readonly run: string
    readonly index: number
    readonly verdict: Verdict
    readonly score: number | null
  }
  readonly after: ChangedTest['before']
  /** Whether input or checks changed: the scores are not comparable. */
  readonly is_changed?: true | undefined
}

/** The results of one test on one target over runs, oldest first. */
export interface TestHistory {
  readonly runs: readonly HistoryEntry[]
}

export interface HistoryEntry {
  readonly run: string
  readonly started: string | undefined
  readonly label: string | undefined
  readonly commit: string | undefined
  /** Index of the row in that run. */
  readonly index: number
  readonly verdict: Verdict
  readonly score: number | null
  readonly attempts: number
  readonly passed: number
  readonly duration_ms: number | undefined
  readonly cost_usd: number | undefined
  /** Whether the test or its checks changed since the entry before. */
  readonly is_changed: boolean
}

/** A run that goes on. */
export interface LiveData {
  readonly is_live: boolean
  /** What its process says; undefined in the first half second, and when the run has ended. */
  readonly status: LiveStatus | undefined
  /** Attempts that did not pass, though they should; newest last, at most 50. */
  readonly latest_failures: readonly LiveFailure[]
  /** Attempts with a result. */
  readonly counts: Readonly<Record<Verdict, number>>
}

export interface LiveFailure {
  readonly index: number
  readonly name: string
  readonly target: string
  readonly verdict: Verdict
  readonly reason: string
}
