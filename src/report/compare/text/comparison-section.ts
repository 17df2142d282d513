import { PLAIN } from '../../../lib/palette.ts'
import type { ComparisonVerdict } from '../analysis.ts'
import { applicabilityNotes } from '../applicability-notes.ts'
import type { Comparison } from '../comparison.ts'
import { errorNotes, withoutErrorsNotes } from './comparison-text.ts'
import { type Metric, metricsOf } from './metrics.ts'
import { shiftLists, type TestList, testCountsText, testLists, type UnpairedWords } from './test-lists.ts'
import { verdictText } from './verdict-text.ts'

/** A comparison in words, for every format that shows it as a table. */
export interface ComparisonSection {
  /** Labels of the two sides. */
  readonly before: string
  readonly after: string
  readonly metrics: readonly Metric[]
  /** How many tests were compared, and how errors enter. */
  readonly notes: readonly string[]
  /** Lists that have tests. */
  readonly lists: readonly TestList[]
  readonly verdict: ComparisonVerdict
  /** The verdict with its reasons. */
  readonly verdict_text: string
}

/** A comparison in words, with the question that it answers. */
export interface TitledSection extends ComparisonSection {
  /** `Does it help? with-skill against the control arm without-skill`. */
  readonly title: string
}

export function sectionOf(comparison: Comparison, words?: UnpairedWords): ComparisonSection {
  const lists = [...shiftLists(comparison), ...testLists(comparison, words)]
  return {
    before: comparison.before.label,
    after: comparison.after.label,
    metrics: metricsOf(comparison),
    notes: [
      testCountsText(comparison, words),
      ...applicabilityNotes(comparison),
      ...errorNotes(comparison),
      ...withoutErrorsNotes(comparison),
    ],
    lists: lists.filter(({ lines }) => lines.length > 0),
    verdict: comparison.verdict,
    verdict_text: verdictText(comparison, PLAIN).trimEnd(),
  }
}
