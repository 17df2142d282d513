import type { SliceName, SliceNames } from '../slices/slice-key.ts'
import { sliceGroups } from '../slices/slices.ts'
import { type Comparison, comparePaired, type Side } from './comparison.ts'

/** A slice of a comparison: its paired tests, with a verdict that is adjusted for all slices. */
export interface ComparisonSlice {
  /** Null for tests without a tag, or without the key. */
  readonly name: SliceName
  readonly comparison: Comparison
}

/** Slices comparisons by the names that tests have on the later side; the p values of all slices are adjusted together. */
export function comparisonSlices(
  comparisons: readonly Comparison[],
  namesOf: readonly (SliceNames | undefined)[],
  margin: number,
): ComparisonSlice[][] {
  const groups = comparisons.map(({ pairs, is_same_run }, index) => {
    const names = namesOf[index]
    return names && !is_same_run ? sliceGroups(pairs, ({ outcomes: [, after] }) => names(after)) : []
  })
  const sliced = groups.flatMap((slices, index) =>
    slices.map(([name, pairs]) => ({ name, pairs, parent: comparisons[index] as Comparison, index })),
  )
  const found = comparePaired(
    sliced.map(({ parent }) => [sideOf(parent.before), sideOf(parent.after)] as const),
    sliced.map(({ pairs }) => ({
      pairs,
      new: [],
      gone: [],
      changed: [],
      carried: [],
      quarantined: [],
      same_results: 0,
    })),
    margin,
  )
  const slices = sliced.map(({ name, index }, position) => ({
    index,
    slice: { name, comparison: found[position] as Comparison },
  }))
  return comparisons.map((_, index) => slices.filter(each => each.index === index).map(({ slice }) => slice))
}

function sideOf({ label, run, target }: Comparison['before']): Side {
  return { label, run, target, tests: [] }
}

/** A slice as JSON data, without its tests. */
export function sliceData({ name, comparison }: ComparisonSlice) {
  const { pairs, new: added, gone, changed, new_failures, is_same_run, ...figures } = comparison
  return { name, tests: pairs.length, ...figures }
}
