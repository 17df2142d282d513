import type { Filters } from '../../filters.ts'
import type { OpenRun } from '../../open-run.ts'
import { format } from '../../parts/format.ts'
import { TABLE_ROLES } from '../../parts/table-roles.ts'
import { VerdictSign } from '../../parts/verdict-badge.tsx'
import { addressOf } from '../../route.ts'
import type { Row } from '../../rows.ts'
import type { MatrixTest } from './matrix-tests.ts'

interface Props {
  readonly test: MatrixTest
  readonly index: number
  /** The column of the current cell; undefined in other rows. */
  readonly column: number | undefined
  readonly run: OpenRun
  readonly filters: Filters
}

/** A test on all targets. */
export function MatrixRow({ test, index, column, run, filters }: Props) {
  // Where the current target did not run the test, the focus is on the first that did.
  const known = test.cells.flatMap((cell, at) => (cell ? [at] : []))
  const current = column === undefined ? -1 : known.includes(column) ? column : (known[0] ?? -1)
  return (
    <tr {...TABLE_ROLES.row} aria-rowindex={index + 2} data-index={index}>
      <th {...TABLE_ROLES.rowHead} scope="row" class="name">
        {test.test_id}
        {run.data.suites_of_rows.length > 1 && <span class="faint wide">{test.suite}</span>}
      </th>
      {test.cells.map((row, at) => (
        <td key={run.targets[at]} {...TABLE_ROLES.cell}>
          {row ? (
            <MatrixCell row={row} run={run} filters={filters} isCurrent={at === current} />
          ) : (
            <span class="faint">–</span>
          )}
        </td>
      ))}
    </tr>
  )
}

interface CellProps {
  readonly row: Row
  readonly run: OpenRun
  readonly filters: Filters
  readonly isCurrent: boolean
}

function MatrixCell({ row, run, filters, isCurrent }: CellProps) {
  const { verdict, score, passed, attempts, test_id, target } = row
  const trials = attempts > 1 ? `, ${passed} of ${attempts} trials passed` : ''
  return (
    <a
      class={`cell ${verdict}`}
      href={addressOf({ screen: 'test', run: run.id, test: row.key, trial: 0, filters })}
      tabIndex={isCurrent ? 0 : -1}
      title={row.reason}
      aria-label={`${test_id} on ${target}: ${verdict}, score ${format.score(score)}${trials}`}
    >
      <VerdictSign verdict={verdict} />
      <span>{format.score(score)}</span>
      <Dots passed={passed} attempts={attempts} />
    </a>
  )
}

/** More trials than these are a fraction. */
const MAX_DOTS = 10

/** A dot for each trial. */
function Dots({ passed, attempts }: Pick<Row, 'passed' | 'attempts'>) {
  if (attempts < 2) return null
  if (attempts > MAX_DOTS)
    return (
      <span class="faint">
        {passed}/{attempts}
      </span>
    )
  return (
    <span class="dots">
      {Array.from({ length: attempts }, (_, trial) => (
        <span key={trial} class={trial < passed ? 'dot full' : 'dot'} />
      ))}
    </span>
  )
}
