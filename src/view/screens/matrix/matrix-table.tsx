import { useCallback, useRef, useState } from 'preact/hooks'
import type { Change, Filters } from '../../filters.ts'
import type { OpenRun } from '../../open-run.ts'
import { TABLE_ROLES } from '../../parts/table-roles.ts'
import { TargetName } from '../../parts/target-name.tsx'
import { screenKey } from '../../use-arrival.ts'
import { useListPlace } from '../../use-list-place.ts'
import { useRowFocus } from '../../use-row-focus.ts'
import { useVirtualRows } from '../../use-virtual-rows.ts'
import { MatrixRow } from './matrix-row.tsx'
import type { MatrixTest } from './matrix-tests.ts'

interface Props {
  readonly run: OpenRun
  readonly tests: readonly MatrixTest[]
  readonly filters: Filters
  readonly change: Change
}

const ROW_HEIGHT = 39
const estimate = () => ROW_HEIGHT

/** A row for each test and a column for each target. */
export function MatrixTable({ run, tests, filters, change }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const [column, setColumn] = useState(0)
  const rows = useVirtualRows({ scroller, body, items: tests, estimate })
  const focus = useRowFocus({ count: tests.length, body, reveal: rows.reveal, items: tests })
  const screen = screenKey({ screen: 'matrix', run: run.id, filters })
  useListPlace({ screen, scroller, keys: tests, current: tests[focus.current]?.key ?? '', focusRow: focus.focusRow })
  const sideways = useCallback(
    (event: KeyboardEvent) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      if (step === 0) return
      event.preventDefault()
      setColumn(now => Math.min(run.targets.length - 1, Math.max(0, now + step)))
      focus.focusRow(focus.current)
    },
    [run, focus],
  )
  const moved = (event: FocusEvent) => {
    focus.on.onFocusIn(event)
    const cell = (event.target as Element).closest('td')
    if (cell) setColumn(cell.cellIndex - 1)
  }
  return (
    <div class="scroller" ref={scroller} onScroll={rows.scrolled}>
      <table
        {...TABLE_ROLES.table}
        class="rows grid"
        aria-labelledby="matrix-name"
        aria-rowcount={tests.length + 1}
        aria-colcount={run.targets.length + 1}
        style={{ '--columns': `minmax(150px, 2fr) repeat(${run.targets.length}, minmax(96px, 1fr))` }}
      >
        <MatrixHead run={run} filters={filters} change={change} />
        <tbody
          {...TABLE_ROLES.group}
          ref={body}
          style={rows.space}
          onFocusIn={moved}
          onKeyDown={event => {
            sideways(event)
            focus.on.onKeyDown(event)
          }}
        >
          {tests.slice(rows.first, rows.end).map((test, offset) => (
            <MatrixRow
              key={test.key}
              test={test}
              index={rows.first + offset}
              column={rows.first + offset === focus.current ? column : undefined}
              run={run}
              filters={filters}
            />
          ))}
        </tbody>
      </table>
      {tests.length === 0 && <p class="empty">No tests match.</p>}
    </div>
  )
}

function MatrixHead({ run, filters, change }: Omit<Props, 'tests'>) {
  const heads = [{ sort: 'test', name: 'Test' }, ...run.targets.map(name => ({ sort: `target:${name}`, name }))]
  const controls = new Set(run.data.targets.flatMap(({ name, is_control }) => (is_control ? [name] : [])))
  const sortBy = (sort: string) => {
    // A third click leads back to the tests that differ.
    if (filters.sort === sort && filters.descending) change({ sort: '', descending: false })
    else change({ sort, descending: filters.sort === sort })
  }
  return (
    <thead {...TABLE_ROLES.group}>
      <tr {...TABLE_ROLES.row} aria-rowindex={1}>
        {heads.map(({ sort, name }, index) => (
          <th
            key={sort}
            {...TABLE_ROLES.head}
            scope="col"
            aria-sort={filters.sort !== sort ? 'none' : filters.descending ? 'descending' : 'ascending'}
          >
            <button type="button" class="sort" onClick={() => sortBy(sort)}>
              {index === 0 ? name : <TargetName name={name} targets={run.targets} is_control={controls.has(name)} />}
              <span class="sort-mark" aria-hidden="true" />
            </button>
          </th>
        ))}
      </tr>
    </thead>
  )
}
