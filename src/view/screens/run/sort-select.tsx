import { useMemo } from 'preact/hooks'
import type { Change, Filters } from '../../filters.ts'
import type { Row } from '../../rows.ts'
import { columnsFor } from './columns.tsx'

interface Props {
  readonly rows: readonly Row[]
  readonly filters: Filters
  readonly change: Change
}

/** The order, for screens that hide columns. */
export function SortSelect({ rows, filters, change }: Props) {
  const columns = useMemo(() => columnsFor(rows), [rows])
  const pick = (value: string) => {
    const name = value.replace(/^-/, '')
    change({ sort: name === 'verdict' ? '' : name, descending: value.startsWith('-') })
  }
  return (
    <select
      class="narrow"
      aria-label="Order"
      value={`${filters.descending ? '-' : ''}${filters.sort || 'verdict'}`}
      onChange={event => pick(event.currentTarget.value)}
    >
      {columns.flatMap(({ name, title }) => [
        <option key={name} value={name}>
          Sort by {title.toLowerCase()}
        </option>,
        <option key={`-${name}`} value={`-${name}`}>
          Sort by {title.toLowerCase()}, descending
        </option>,
      ])}
    </select>
  )
}
