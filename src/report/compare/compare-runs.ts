import type { TestFilter } from '../../model/test-filter.ts'
import { type Agreement, agreementOf } from './agreement.ts'
import {
  type CompareGateOptions,
  type CompareGateResult,
  evaluateCompareGate,
  isGated,
  type PartialRun,
} from './compare-gate.ts'
import type { ComparedRun } from './compared-run.ts'
import { type Comparison, compareSides, comparisonData } from './comparison.ts'
import { type ComparisonSlice, comparisonSlices, sliceData } from './comparison-slices.ts'
import { withDecisions } from './decided-comparison.ts'
import { type SideOptions, type SideSelection, selectSides } from './select-sides.ts'
import { selectTests, type TestSelection } from './test-selection.ts'

export interface CompareOptions extends SideOptions {
  /** Accepted loss. */
  readonly margin: number
  readonly gates: CompareGateOptions
  /** The tests to compare; the runs are read with the same filter. */
  readonly filter?: TestFilter | undefined
}

/** The comparison of runs, each later one with the first, or of targets of one run. */
export interface RunComparison extends Omit<SideSelection, 'sides'> {
  readonly runs: readonly ComparedRun[]
  readonly comparisons: readonly Comparison[]
  /** The slices of each comparison; empty if none are asked for. */
  readonly slices: readonly (readonly ComparisonSlice[])[]
  /** The part of the tests that is compared; undefined for all of them. */
  readonly selection: TestSelection | undefined
  /** Agreement of the gradings, if one of two runs graded the answers of the other again. */
  readonly agreement: Agreement | undefined
  readonly gate: CompareGateResult
}

export function compareRuns(read: readonly ComparedRun[], options: CompareOptions): RunComparison {
  const { margin, gates, filter = {} } = options
  const { runs, selection } = selectTests(read, filter)
  const { sides, missing_targets, new_targets } = selectSides(runs, options)
  const comparisons = withDecisions(
    compareSides(sides, margin),
    runs.length === 1 ? (runs[0]?.outcome.decisions ?? []) : [],
  )
  const unfinished_runs = runs.filter(({ is_unfinished }) => is_unfinished).map(({ name }) => name)
  const gaps = { unfinished_runs, partial_runs: partialRuns(runs, comparisons), missing_targets }
  const gate = evaluateCompareGate(comparisons, gaps, gates)
  const slices = comparisonSlices(comparisons, sliceNamesOf(runs, comparisons), margin)
  return { runs, comparisons, slices, selection, agreement: judgedAgain(runs), missing_targets, new_targets, gate }
}

/** The slices of the later run of each comparison. */
function sliceNamesOf(runs: readonly ComparedRun[], comparisons: readonly Comparison[]) {
  return comparisons.map(({ after }) => runs.findLast(({ name }) => name === after.run)?.slice_names)
}

/** Returns later runs in which tests of the first were deselected. */
function partialRuns([, ...later]: readonly ComparedRun[], comparisons: readonly Comparison[]): PartialRun[] {
  return later.flatMap(({ name, outcome: { partial }, is_unfinished }) => {
    const gone = comparisons.reduce((sum, { after, gone }) => sum + (after.run === name ? gone.length : 0), 0)
    return partial === undefined || is_unfinished || gone === 0 ? [] : [{ name, part: partial, gone }]
  })
}

function judgedAgain([first, second, ...more]: readonly ComparedRun[]): Agreement | undefined {
  if (!first || !second || more.length > 0) return undefined
  const isAgain = (one: ComparedRun, other: ComparedRun) => one.source !== undefined && one.source === other.run_id
  if (!isAgain(first, second) && !isAgain(second, first)) return undefined
  return agreementOf(first.outcome.tests, second.outcome.tests)
}

/** The comparison as JSON data, without single attempts, and with a gate if requested. */
export function runComparisonData(
  { runs, comparisons, slices, gate, ...found }: RunComparison,
  gates: CompareGateOptions,
) {
  return {
    runs: runs.map(({ name, outcome: { partial, reruns, answers, cached } }) => ({
      run: name,
      partial,
      reruns,
      answers,
      cached,
    })),
    comparisons: comparisons.map((comparison, index) => {
      const sliced = slices[index] ?? []
      return { ...comparisonData(comparison), ...(sliced.length === 0 ? {} : { slices: sliced.map(sliceData) }) }
    }),
    ...found,
    gate: isGated(gates) ? gate : undefined,
  }
}
