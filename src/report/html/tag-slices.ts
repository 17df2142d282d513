import type { RunReader } from '../../model/run-reader.ts'
import type { Outcome } from '../outcome/run-outcome.ts'
import { type Slice, sliceGroups, slicesOf } from '../slices/slices.ts'
import { testIdentity } from '../test-identity.ts'

/** The slices of the most frequent tags. */
export interface TagSlices {
  readonly slices: readonly Slice[]
  /** Number of tags that are left out. */
  readonly more: number
}

/** Maximum number of tags on the page; the others can be found by filtering. */
const MAX_TAGS = 24

/** Tests without a tag are a slice, if others have one. */
export function tagSlices(run: RunReader, { tests }: Pick<Outcome, 'tests'>): TagSlices {
  const tags = new Map([...run.facts()].map(facts => [testIdentity(facts), facts.tags]))
  const tagsOf = (test: Outcome['tests'][number]) => {
    const own = tags.get(testIdentity(test)) ?? []
    return own.length === 0 ? [null] : [...new Set(own)]
  }
  const groups = sliceGroups(tests, tagsOf).filter(([name]) => name !== null)
  if (groups.length === 0) return { slices: [], more: 0 }
  const frequent = new Set(
    [...groups]
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, MAX_TAGS)
      .map(([name]) => name),
  )
  const slices = slicesOf(tests, test => tagsOf(test).filter(tag => tag === null || frequent.has(tag)))
  return { slices, more: groups.length - frequent.size }
}
