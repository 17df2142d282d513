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
import { type SideSelection, selectSides } from './select-sides.ts'

export interface CompareOptions {
  /** Targets to compare; empty for all common targets. */
  readonly targets: readonly string[]
  /** Accepted loss. */
  readonly margin: number
  readonly gates: CompareGateOptions
}

/** The comparison of two runs, or of two targets of one run. */
export interface RunComparison extends Omit<SideSelection, 'sides'> {
  readonly runs: readonly ComparedRun[]
  readonly comparisons: readonly Comparison[]
  /** Agreement of the gradings, if one run graded the answers of the other again. */
  readonly agreement: Agreement | undefined
  readonly gate: CompareGateResult
}

export function compareRuns(runs: readonly ComparedRun[], { targets, margin, gates }: CompareOptions): RunComparison {
  const { sides, missing_targets, new_targets } = selectSides(runs, targets)
  const comparisons = compareSides(sides, margin)
  const unfinished_runs = runs.filter(({ is_unfinished }) => is_unfinished).map(({ name }) => name)
  const partial_run = partialRun(runs, comparisons)
  const gate = evaluateCompareGate(comparisons, { unfinished_runs, partial_run, missing_targets }, gates)
  return { runs, comparisons, agreement: judgedAgain(runs), missing_targets, new_targets, gate }
}

/** Returns the second run if tests of the first were deselected in it. */
function partialRun([, second]: readonly ComparedRun[], comparisons: readonly Comparison[]): PartialRun | undefined {
  const gone = comparisons.reduce((sum, comparison) => sum + comparison.gone.length, 0)
  if (!second?.outcome.partial || second.is_unfinished || gone === 0) return undefined
  return { name: second.name, part: second.outcome.partial, gone }
}

function judgedAgain([first, second]: readonly ComparedRun[]): Agreement | undefined {
  if (!first || !second) return undefined
  const isAgain = (one: ComparedRun, other: ComparedRun) => one.source !== undefined && one.source === other.run_id
  if (!isAgain(first, second) && !isAgain(second, first)) return undefined
  return agreementOf(first.outcome.tests, second.outcome.tests)
}

/** The comparison as JSON data, without single attempts, and with a gate if requested. */
export function runComparisonData({ runs, comparisons, gate, ...found }: RunComparison, gates: CompareGateOptions) {
  return {
    runs: runs.map(({ name, outcome: { partial, reruns, answers, cached } }) => ({
      run: name,
      partial,
      reruns,
      answers,
      cached,
    })),
    comparisons: comparisons.map(comparisonData),
    ...found,
    gate: isGated(gates) ? gate : undefined,
  }
}
