import { groupBy } from '../../../../lib/collections.ts'
import { wellFormed } from '../../../../lib/text/unicode.ts'
import { formatRate } from '../../../../report/estimates-text.ts'
import type { Slice } from '../../../../report/slices/slices.ts'
import type { OpenRun } from '../../../open-run.ts'
import { format } from '../../../parts/format.ts'
import { IntervalBar } from '../../../parts/interval-bar.tsx'
import { ScrollsSideways } from '../../../parts/scrolls-sideways.tsx'
import { TargetName, targetColour } from '../../../parts/target-name.tsx'
import { addressOf, runRouteOf } from '../../../route.ts'

/** More targets have no room for a bar. */
const MAX_BARS = 3

/** The pass rate of each tag on each target. */
export function TagsTable({ run }: { readonly run: OpenRun }) {
  const { slices, more } = run.data.tag_slices
  if (slices.length === 0) return null
  const targets = run.data.targets.map(({ name }) => name)
  const tags = [...groupBy(slices, ({ name }) => name ?? '')]
  return (
    <section class="groups tags-table" aria-labelledby="tags-name">
      <h2 id="tags-name">Pass rate by tag</h2>
      <ScrollsSideways label="tags-name">
        <table aria-labelledby="tags-name">
          <thead>
            <tr>
              <th scope="col">Tag</th>
              {targets.map(target => (
                <th key={target} scope="col">
                  <TargetName name={target} targets={run.targets} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tags.map(([tag, own]) => (
              <tr key={tag}>
                <th scope="row">
                  <TagLink tag={tag} run={run} />
                </th>
                {targets.map(target => (
                  <TagCell
                    key={target}
                    slice={own.find(slice => slice.target === target)}
                    colour={targetColour(run.targets, target)}
                    hasBar={targets.length <= MAX_BARS}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollsSideways>
      {more > 0 && <p class="faint">and {more} tags with fewer tests</p>}
    </section>
  )
}

function TagLink({ tag, run }: { readonly tag: string; readonly run: OpenRun }) {
  if (tag === '') return <span class="faint">without a tag</span>
  return <a href={addressOf(runRouteOf(run.id, { tag: wellFormed(tag) }))}>{tag}</a>
}

interface CellProps {
  readonly slice: Slice | undefined
  readonly colour: number
  readonly hasBar: boolean
}

function TagCell({ slice, colour, hasBar }: CellProps) {
  if (!slice?.pass_rate) return <td class="faint">–</td>
  return (
    <td>
      <span class="tag-rate">
        {formatRate(slice.pass_rate)} <span class="faint">of {format.count(slice.tests)}</span>
      </span>
      {hasBar && <IntervalBar rate={slice.pass_rate} colour={colour} />}
    </td>
  )
}
