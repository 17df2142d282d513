import type { ComponentChildren } from 'preact'
import { format } from '../../parts/format.ts'
import { TargetName } from '../../parts/target-name.tsx'
import { VerdictBadge } from '../../parts/verdict-badge.tsx'
import type { Row } from '../../rows.ts'

/** A column of the table of tests. */
export interface Column {
  readonly name: string
  readonly title: string
  readonly style: string
  /** As in `grid-template-columns`. */
  readonly width: string
  cell(row: Row, targets: readonly string[]): ComponentChildren
  /** Whether the column has content worth showing. */
  isNeeded?(rows: readonly Row[]): boolean
}

/** Returns the columns that have content for these rows. */
export function columnsFor(rows: readonly Row[]): readonly Column[] {
  return COLUMNS.filter(({ isNeeded }) => isNeeded?.(rows) ?? true)
}

/** The test is the second column, and its reason is below it. */
const COLUMNS: readonly Column[] = [
  { name: 'verdict', title: 'Verdict', style: 'verdict', width: '112px', cell: verdictCell },
  { name: 'test', title: 'Test', style: 'name', width: 'minmax(0, 1fr)', cell: ({ test_id }) => test_id },
  {
    name: 'suite',
    title: 'Suite',
    style: 'wide group',
    width: 'minmax(80px, 150px)',
    cell: ({ suite }) => suite,
    isNeeded: rows => rows.some(({ suite }) => suite !== rows[0]?.suite),
  },
  {
    name: 'target',
    title: 'Target',
    style: 'wide group',
    width: 'minmax(90px, 170px)',
    cell: ({ target }, targets) => <TargetName name={target} targets={targets} />,
    isNeeded: rows => rows.some(({ target }) => target !== rows[0]?.target),
  },
  { name: 'score', title: 'Score', style: 'number', width: '64px', cell: ({ score }) => format.score(score) },
  {
    name: 'trials',
    title: 'Trials',
    style: 'number wide',
    width: '70px',
    cell: ({ passed, attempts, is_flaky }) => (
      <>
        {is_flaky && <span class="flaky-mark" title="flaky" aria-label="flaky" role="img" />}
        {`${passed}/${attempts}`}
      </>
    ),
    isNeeded: rows => rows.some(({ attempts }) => attempts > 1),
  },
  {
    name: 'time',
    title: 'Time',
    style: 'number wide',
    width: '76px',
    cell: ({ duration_ms }) => format.time(duration_ms),
    isNeeded: rows => rows.some(({ duration_ms }) => duration_ms !== null),
  },
  {
    name: 'cost',
    title: 'Cost',
    style: 'number wide',
    width: '78px',
    cell: ({ cost_usd }) => format.cost(cost_usd),
    isNeeded: rows => rows.some(({ cost_usd }) => cost_usd !== null),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    style: 'number wide',
    width: '76px',
    cell: ({ tokens }) => format.count(tokens),
    isNeeded: rows => rows.some(({ tokens }) => tokens !== null),
  },
]

function verdictCell({ verdict, standing }: Row) {
  return (
    <>
      <VerdictBadge verdict={verdict} />
      {standing !== undefined && <VerdictBadge verdict={standing} />}
    </>
  )
}
