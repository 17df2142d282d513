import type { Verdict } from '../../model/verdict.ts'
import type { GroupStatistics } from '../../report/html/page-data.ts'

const VERDICTS: readonly Verdict[] = ['pass', 'borderline', 'fail', 'error']

/** A bar with the share of each verdict. */
export function VerdictBar({ counts, tests }: Pick<GroupStatistics, 'counts' | 'tests'>) {
  const present = VERDICTS.filter(verdict => counts[verdict] > 0)
  const label = present.map(verdict => `${counts[verdict]} ${verdict}`).join(', ') || 'none'
  let from = 0
  return (
    <svg class="verdict-bar" height={10} role="img" aria-label={label}>
      {present.map(verdict => {
        const width = (100 * counts[verdict]) / tests
        from += width
        return <rect class={`fill ${verdict}`} x={`${from - width}%`} y={0} width={`${width}%`} height={10} />
      })}
    </svg>
  )
}
