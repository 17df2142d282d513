import type { Filters } from '../../filters.ts'
import type { OpenRun } from '../../open-run.ts'
import { TABLE_ROLES } from '../../parts/table-roles.ts'
import { addressOf } from '../../route.ts'
import type { Row } from '../../rows.ts'
import type { Column } from './columns.tsx'

interface Props {
  readonly row: Row
  readonly index: number
  readonly isCurrent: boolean
  readonly columns: readonly Column[]
  readonly run: OpenRun
  readonly filters: Filters
}

/** A test on a target, with the reason of its verdict over the whole width. */
export function TestRow({ row, index, isCurrent, columns, run, filters }: Props) {
  const href = addressOf({ screen: 'test', run: run.id, test: row.key, trial: 0, filters })
  return (
    <tr {...TABLE_ROLES.row} class={row.verdict} aria-rowindex={index + 2} data-index={index} onClick={openRow}>
      {columns.map(({ name, style, cell }) =>
        name === 'test' ? (
          <th key={name} {...TABLE_ROLES.rowHead} scope="row" class={style}>
            <a href={href} tabIndex={isCurrent ? 0 : -1}>
              {cell(row, run.targets)}
            </a>
          </th>
        ) : (
          <td key={name} {...TABLE_ROLES.cell} class={style}>
            {cell(row, run.targets)}
          </td>
        ),
      )}
      <td {...TABLE_ROLES.cell} class={row.reason === '' ? 'reason faint' : 'reason'}>
        {row.reason || row.description}
        <span class="narrow faint">{narrowFacts(row, run)}</span>
      </td>
    </tr>
  )
}

/** Opens a row on click, unless text is selected. */
function openRow(event: MouseEvent): void {
  const row = event.currentTarget as Element
  if ((event.target as Element).closest('a') || String(getSelection()) !== '') return
  row.querySelector<HTMLElement>('th a')?.click()
}

/** What small screens have no columns for. */
function narrowFacts({ suite, target, attempts, passed, is_flaky }: Row, { targets }: OpenRun): string {
  const trials = attempts > 1 ? ` · ${passed}/${attempts}${is_flaky ? ' flaky' : ''}` : ''
  return `${suite}${targets.length > 1 ? ` · ${target}` : ''}${trials}`
}
