import { useMemo, useRef } from 'preact/hooks'
import { type Change, type Filters, isFiltered } from '../../filters.ts'
import type { OpenRun } from '../../open-run.ts'
import { TABLE_ROLES } from '../../parts/table-roles.ts'
import type { Row } from '../../rows.ts'
import { useListPlace } from '../../use-list-place.ts'
import { useRowFocus } from '../../use-row-focus.ts'
import { useVirtualRows } from '../../use-virtual-rows.ts'
import { type Column, columnsFor } from './columns.tsx'
import { TestRow } from './test-row.tsx'

interface Props {
  readonly run: OpenRun
  readonly chosen: readonly Row[]
  readonly filters: Filters
  readonly change: Change
  /** Key of the screen, for the place to come back to. */
  readonly screen: string
}

/** Heights before they are measured: one line, and with the reason below. */
const PLAIN_HEIGHT = 38
const REASON_HEIGHT = 59

/** The table of tests. It scrolls by itself, so that the figures below it are near. */
export function TestsTable({ run, chosen, filters, change, screen }: Props) {
  const scroller = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLTableSectionElement>(null)
  const columns = useMemo(() => columnsFor(run.rows), [run])
  const estimate = (index: number) =>
    chosen[index]?.reason || chosen[index]?.description ? REASON_HEIGHT : PLAIN_HEIGHT
  const rows = useVirtualRows({ scroller, body, items: chosen, estimate })
  const focus = useRowFocus({ count: chosen.length, body, reveal: rows.reveal, items: chosen })
  useListPlace({ screen, scroller, keys: chosen, current: chosen[focus.current]?.key ?? '', focusRow: focus.focusRow })
  return (
    <div class="scroller" ref={scroller} onScroll={rows.scrolled}>
      <table
        {...TABLE_ROLES.table}
        class="rows"
        aria-labelledby="tests-name"
        aria-rowcount={chosen.length + 1}
        style={{ '--columns': columns.map(({ width }) => width).join(' ') }}
      >
        <TableHead columns={columns} filters={filters} change={change} />
        <tbody {...TABLE_ROLES.group} ref={body} style={rows.space} {...focus.on}>
          {chosen.slice(rows.first, rows.end).map((row, offset) => (
            <TestRow
              key={row.key}
              row={row}
              index={rows.first + offset}
              isCurrent={rows.first + offset === focus.current}
              columns={columns}
              run={run}
              filters={filters}
            />
          ))}
        </tbody>
      </table>
      {chosen.length === 0 && <p class="empty">{isFiltered(filters) ? 'No tests match.' : 'No tests.'}</p>}
    </div>
  )
}

interface HeadProps {
  readonly columns: readonly Column[]
  readonly filters: Filters
  readonly change: Change
}

function TableHead({ columns, filters, change }: HeadProps) {
  const sorted = filters.sort === '' ? 'verdict' : filters.sort
  const sort = (name: string) =>
    change({ sort: name === 'verdict' ? '' : name, descending: sorted === name && !filters.descending })
  return (
    <thead {...TABLE_ROLES.group}>
      <tr {...TABLE_ROLES.row} aria-rowindex={1}>
        {columns.map(({ name, title, style }) => (
          <th
            key={name}
            {...TABLE_ROLES.head}
            scope="col"
            class={style}
            aria-sort={name !== sorted ? 'none' : filters.descending ? 'descending' : 'ascending'}
          >
            <button type="button" class="sort" onClick={() => sort(name)}>
              {title}
              <span class="sort-mark" aria-hidden="true" />
            </button>
          </th>
        ))}
        <th {...TABLE_ROLES.head} scope="col" class="unseen">
          Reason
        </th>
      </tr>
    </thead>
  )
}
