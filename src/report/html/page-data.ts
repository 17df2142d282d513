import type { RunInfo } from '../../model/run-info.ts'
import type { Verdict } from '../../model/verdict.ts'
import type { TitledSection } from '../compare/text/comparison-section.ts'
import type { Estimates } from '../outcome/estimates.ts'
import type { Standing } from '../outcome/marked-tests.ts'
import type { Counts, Outcome } from '../outcome/run-outcome.ts'
import type { SliceTable } from '../slices/slices-table.ts'
import type { TriggerTable } from '../trigger-table.ts'
import type { Distributions } from './distributions.ts'
import type { Reliability } from './reliability.ts'
import type { TagSlices } from './tag-slices.ts'

/** The data block that the page shows first, as JSON: undefined values are absent. */
export interface PageData extends Overview, PackedRows {
  /** Number of tests that are not on the page. */
  readonly left_out: number
}

/** The numbers at the top, over all tests, including those not on the page. */
export interface Overview {
  readonly run: RunFacts | undefined
  /** All tests; without pass rate and score if there are several targets. */
  readonly all: GroupStatistics
  readonly targets: readonly GroupStatistics[]
  /** Each suite on each target. */
  readonly suites: readonly GroupStatistics[]
  /** The pass rate of each target as people would give it, as text; undefined if no suite has a calibration. */
  readonly corrected: readonly string[] | undefined
  /** What ran: `12 tests × 2 targets`. */
  readonly tests_text: string
  /** Notes on the run, such as partial, rerun or cached. */
  readonly notes: readonly string[]
  /** Marked tests with their locations and reasons, as text. */
  readonly marked: readonly string[]
  /** From the start of the first attempt to the end of the last; undefined if it is not known. */
  readonly elapsed_ms: number | undefined
  readonly distributions: Distributions
  /** How steady each target is over its trials. */
  readonly reliability: readonly Reliability[]
  /** The sources of noise, and how judges of panels compare, as text. */
  readonly noise: readonly string[]
  /** The tags with the most tests, each per target. */
  readonly tag_slices: TagSlices
  /** Trigger rates of skills. */
  readonly triggers: readonly TriggerTable[]
  /** Comparisons of answers with others, as text. */
  readonly pairs: readonly string[]
  /** The comparisons with saved results and with control arms. */
  readonly arms: readonly TitledSection[]
  /** The slices, if asked for. */
  readonly slices: SliceTable | undefined
  /** The suites with their files. */
  readonly suite_files: readonly { readonly name: string; readonly file: string }[]
  readonly planned_tests: number
  readonly not_run: number
  readonly judge_usage: Outcome['judge_usage']
}

/** What the header says about the run. */
export interface RunFacts extends Pick<RunInfo, 'run_id' | 'started' | 'assay_version' | 'previous' | 'shard'> {
  /** Where the run comes from: `commit 1a2b3c4 (main, dirty), label nightly`. */
  readonly provenance: string | undefined
  /** The command that started the run, as typed. */
  readonly command: string | undefined
  /** The page of the commit. */
  readonly commit_url: string | undefined
  /** The page of the CI job. */
  readonly ci_url: string | undefined
}

/** Statistics of a group of tests. */
export interface GroupStatistics extends Pick<Estimates, 'pass_rate' | 'score'> {
  readonly name: string
  /** The target, if a suite has several. */
  readonly target?: string | undefined
  /** Whether the target is the control arm. */
  readonly is_control?: true | undefined
  readonly tests: number
  readonly counts: Counts
  readonly cost_usd: number | undefined
  /** Mean over the attempts with a known cost. */
  readonly mean_cost_usd: number | undefined
  readonly tokens: number | undefined
  readonly latency: Latency | undefined
}

/** Response times in milliseconds. */
export interface Latency {
  readonly least: number
  readonly median: number
  readonly p90: number
  readonly most: number
  readonly total: number
}

/** Rows as written to the file: shared texts are stored once, and rows contain their indexes. */
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
  /** All checks that apply to the target, including nested ones. */
  checks: readonly number[],
  /** Checks missed in any attempt. */
  missed: readonly number[],
  description: string,
  reason: string,
  /** Null for a verdict that means what it says. */
  standing: Standing | null,
]

const URGENCY: Readonly<Record<Verdict, number>> = { error: 0, fail: 1, borderline: 2, pass: 4 }

const MARKED_URGENCY: Readonly<Record<Standing, number>> = {
  'unexpected pass': 1,
  'expected failure': 5,
  quarantined: 6,
}

/** Sort key of a test: errors first, then failures, borderline, flaky, the rest; marked tests that do not count last. */
export function urgencyOf(test: {
  readonly verdict: Verdict
  readonly is_flaky: boolean
  readonly standing?: Standing | undefined
}): number {
  const { verdict, is_flaky, standing } = test
  if (standing) return MARKED_URGENCY[standing]
  return is_flaky ? Math.min(3, URGENCY[verdict]) : URGENCY[verdict]
}
