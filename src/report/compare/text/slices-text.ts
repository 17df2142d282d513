import { formatRate } from '../../estimates-text.ts'
import { MAX_SLICES, type SliceTable, sliceTableText, sliceText } from '../../slices/slices-table.ts'
import type { ComparisonSlice } from '../comparison-slices.ts'
import { metricsOf } from './metrics.ts'

/** The slices of a comparison in words: rates of both sides, the difference of what is compared, and the verdict. */
export function comparisonSlicesTable(slices: readonly ComparisonSlice[]): SliceTable {
  return {
    header: ['slice', 'verdict', 'tests', 'pass rate before', 'after', 'score difference, adjusted p'],
    rows: slices
      .slice(0, MAX_SLICES)
      .map(({ name, comparison }) => [
        sliceText(name),
        comparison.verdict,
        String(comparison.pairs.length),
        formatRate(comparison.before.pass_rate),
        formatRate(comparison.after.pass_rate),
        metricsOf(comparison).findLast(({ name }) => name.startsWith('score'))?.difference ?? '-',
      ]),
    more: Math.max(0, slices.length - MAX_SLICES),
  }
}

export function comparisonSlicesText(slices: readonly ComparisonSlice[]): string {
  return slices.length === 0 ? '' : sliceTableText(comparisonSlicesTable(slices))
}
