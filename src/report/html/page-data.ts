import type { RunInfo } from '../../model/run-info.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { Estimates } from '../outcome/estimates.ts'
import type { Counts, Outcome } from '../outcome/run-outcome.ts'

/** What the page shows at once, as it stands in the file. What is undefined here is absent there. */
export interface PageData extends Overview, PackedRows {
  /** Tests that are not on the page. */
  readonly left_out: number
}

/** The numbers at the top: of all tests, also of those that are not on the page. */
export interface Overview {
  readonly run:
    | Pick<RunInfo, 'run_id' | 'started' | 'assay_version' | 'git_commit' | 'previous' | 'source' | 'shard'>
    | undefined
  /** Of all tests; without pass rate and score where there are several targets. */
  readonly all: GroupStatistics
  readonly targets: readonly GroupStatistics[]
  /** Of each suite, on each target. */
  readonly suites: readonly GroupStatistics[]
  /** What was run: `12 tests × 2 targets`. */
  readonly tests_text: string
  /** That the run is partial, was made again, or not asked anew, in words. */
  readonly notes: readonly string[]
  /** Tests by their score: ten steps from 0 to 1. Those without a score are in none. */
  readonly scores: readonly Counts[]
  /** How steady the answers are, in words. */
  readonly trials: readonly string[]
  /** How often skills were used, in words. */
  readonly triggers: readonly string[]
  readonly planned_tests: number
  readonly not_run: number
  readonly judge_usage: Outcome['judge_usage']
}

/** The numbers of a group of tests. */
export interface GroupStatistics extends Pick<Estimates, 'pass_rate' | 'score'> {
  readonly name: string
  /** The target, where a suite has several. */
  readonly target?: string | undefined
  readonly tests: number
  readonly counts: Counts
  readonly cost_usd: number | undefined
  /** The mean over the attempts whose cost is known. */
  readonly mean_cost_usd: number | undefined
  readonly tokens: number | undefined
  readonly latency: Latency | undefined
}

/** How long answers took, in milliseconds. */
export interface Latency {
  readonly least: number
  readonly median: number
  readonly p90: number
  readonly most: number
  readonly total: number
}

/** Rows as they stand in the file. Texts that many rows share are there once; a row has their places in the list. */
export interface PackedRows {
  readonly suites_of_rows: readonly string[]
  readonly targets_of_rows: readonly string[]
  readonly files: readonly string[]
  readonly tags: readonly string[]
  readonly checks: readonly string[]
  readonly rows: readonly PackedRow[]
}

export type PackedRow = readonly [
  test_id: string,
  suite: number,
  target: number,
  file: number,
  line: number,
  verdict: Verdict,
  score: number | null,
  attempts: number,
  passed: number,
  is_flaky: 0 | 1,
  duration_ms: number | null,
  cost_usd: number | null,
  tokens: number | null,
  tags: readonly number[],
  /** All checks, also those inside others. */
  checks: readonly number[],
  /** Those that were missed in any attempt. */
  missed: readonly number[],
  description: string,
  reason: string,
]

const URGENCY: Readonly<Record<Verdict, number>> = { error: 0, fail: 1, borderline: 2, pass: 4 }

/** How soon somebody should look at a test: errors first, then failures, what is borderline, what is flaky, the rest. */
export function urgencyOf({ verdict, is_flaky }: { readonly verdict: Verdict; readonly is_flaky: boolean }): number {
  return is_flaky ? Math.min(3, URGENCY[verdict]) : URGENCY[verdict]
}
