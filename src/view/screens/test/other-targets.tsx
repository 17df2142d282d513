import { format } from '../../parts/format.ts'
import { TargetName } from '../../parts/target-name.tsx'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'
import { addressOf, type TestRoute } from '../../route.ts'
import { type Row, testOf } from '../../rows.ts'

interface Props {
  readonly row: Row
  readonly rows: readonly Row[]
  /** All targets of the run, in the order of their colours. */
  readonly targets: readonly string[]
  readonly route: TestRoute
}

/** The same test on every target, with the verdicts. */
export function OtherTargets({ row, rows, targets, route }: Props) {
  const test = testOf(row)
  const same = rows.filter(each => testOf(each) === test)
  if (same.length < 2) return null
  return (
    <nav class="other-targets" aria-label="Targets">
      <ul>
        {same.map(each => (
          <li key={each.key}>
            <a
              href={addressOf({ ...route, test: each.key, trial: 0 })}
              aria-current={each === row ? 'page' : undefined}
            >
              <TargetName name={each.target} targets={targets} />
              <VerdictBadge verdict={each.verdict} />
              <span class="value">{format.score(each.score)}</span>
              {each.attempts > 1 && <span class="faint">{`${each.passed} of ${each.attempts} passed`}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
