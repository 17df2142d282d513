import type { LiveFailure } from '../../../report/html/view-data.ts'
import { DEFAULT_FILTERS } from '../../filters.ts'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'
import { addressOf } from '../../route.ts'
import { indexKey } from '../../rows.ts'

interface Props {
  /** Newest last. */
  readonly failures: readonly LiveFailure[]
  readonly run: string
}

/** What failed, newest on top. */
export function LatestFailures({ failures, run }: Props) {
  return (
    <section class="panel live-failures" aria-labelledby="failures-name">
      <h2 id="failures-name">Latest failures</h2>
      {failures.length === 0 && <p class="faint">None so far.</p>}
      <ol>
        {failures.toReversed().map(({ index, name, target, verdict, reason }) => (
          <li key={`${index} ${name}`}>
            <VerdictBadge verdict={verdict} />
            <span class="failure-name">
              <a href={addressOf({ screen: 'test', run, test: indexKey(index), trial: 0, filters: DEFAULT_FILTERS })}>
                {name}
              </a>
              <span class="fact">{target}</span>
            </span>
            <span class="failure-reason">{reason}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
