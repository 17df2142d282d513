import { groupBy } from '../../lib/collections.ts'
import { type Estimates, estimatesOf } from '../outcome/estimates.ts'
import { type Counts, countsOf } from '../outcome/run-outcome.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import type { SliceName, SliceNames } from './slice-key.ts'

/** The tests of one slice on one target. */
export interface Slice extends Pick<Estimates, 'pass_rate' | 'score'> {
  /** Null for tests without a tag, or without the key. */
  readonly name: SliceName
  readonly target: string
  readonly tests: number
  readonly counts: Counts
}

/** The slices of a run, sorted by name, each per target: several targets have no common rate. */
export function slicesOf(tests: readonly TestOutcome[], namesOf: SliceNames): Slice[] {
  return sliceGroups(tests, namesOf).flatMap(([name, group]) =>
    [...groupBy(group, ({ target }) => target)].map(([target, members]) => {
      const { pass_rate, score } = estimatesOf(members)
      return { name, target, tests: members.length, counts: countsOf(members), pass_rate, score }
    }),
  )
}

/** Groups items by slice, sorted by name; the unnamed slice comes last. An item with several names is in each. */
export function sliceGroups<Item>(
  items: readonly Item[],
  namesOf: (item: Item) => readonly SliceName[],
): (readonly [name: SliceName, items: readonly Item[]])[] {
  const groups = new Map<SliceName, Item[]>()
  for (const item of items) {
    for (const name of namesOf(item)) {
      const group = groups.get(name)
      if (group) group.push(item)
      else groups.set(name, [item])
    }
  }
  return [...groups].sort(([one], [other]) => compareNames(one, other))
}

/** By code units, so that the order does not depend on the machine. */
function compareNames(one: SliceName, other: SliceName): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return one < other ? -1 : Number(one > other)
}
