import { PLAIN } from '../../../lib/palette.ts'
import type { SliceTable } from '../../slices/slices-table.ts'
import { type CompareGateOptions, isGated } from '../compare-gate.ts'
import type { RunComparison } from '../compare-runs.ts'
import { newFailureList } from '../new-failure-list.ts'
import { selectionText } from '../test-selection.ts'
import { comparisonNotes, judgeWarnings, targetNotes } from '../text/comparison-notes.ts'
import { type ComparisonSection, sectionOf } from '../text/comparison-section.ts'
import { agreementText, gateResultText } from '../text/run-comparison-text.ts'
import { comparisonSlicesTable } from '../text/slices-text.ts'
import type { TestList } from '../text/test-lists.ts'

/** A comparison in words, for formats that are pages. */
export interface PageParts {
  readonly notes: readonly string[]
  /** The result of the gates, and the tests that fail one of them; undefined if no gate is given. */
  readonly gate: { readonly text: string; readonly passed: boolean; readonly list: TestList } | undefined
  readonly comparisons: readonly ComparedPart[]
}

/** One comparison with its slices. */
export interface ComparedPart extends ComparisonSection {
  /** `B against A`. */
  readonly title: string
  readonly slices: SliceTable | undefined
}

export function pageParts(compared: RunComparison, gates: CompareGateOptions): PageParts {
  const { comparisons, slices, agreement, gate, selection } = compared
  const agreements = agreement ? [agreementText(agreement).trimEnd()] : []
  const part = selection && `${selectionText(selection)}: `
  return {
    notes: [...comparisonNotes(compared), ...judgeWarnings(compared), ...targetNotes(compared), ...agreements],
    gate: isGated(gates)
      ? {
          text: gateResultText(gate, PLAIN, part).trimEnd(),
          passed: gate.result === 'passed',
          list: newFailureList(compared, gates),
        }
      : undefined,
    comparisons: comparisons.map((comparison, index) => {
      const sliced = slices[index] ?? []
      const section = sectionOf(comparison)
      return {
        title: `${section.after} against ${section.before}`,
        ...section,
        slices: sliced.length === 0 ? undefined : comparisonSlicesTable(sliced),
      }
    }),
  }
}
