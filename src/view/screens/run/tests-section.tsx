import { useMemo, useRef } from 'preact/hooks'
import { type Change, type Filters, isFiltered } from '../../filters.ts'
import type { OpenRun } from '../../open-run.ts'
import { format } from '../../parts/format.ts'
import { type KeyMeaning, KeysHelp } from '../../parts/keys-help.tsx'
import { Toolbar } from '../../parts/toolbar.tsx'
import { type Go, runRouteOf } from '../../route.ts'
import { screenKey } from '../../use-arrival.ts'
import { useKeys } from '../../use-keys.ts'
import { SortSelect } from './sort-select.tsx'
import { TestsTable } from './tests-table.tsx'

interface Props {
  readonly run: OpenRun
  readonly filters: Filters
  readonly go: Go
}

const KEYS: readonly KeyMeaning[] = [
  ['j k', 'next and previous test; arrow keys in the table'],
  ['Enter', 'open the test'],
  ['Esc', 'back to the list'],
  ['/', 'search'],
]

/** The tests: filters, and a table of those that they choose. */
export function TestsSection({ run, filters, go }: Props) {
  const search = useRef<HTMLInputElement>(null)
  const chosen = useMemo(() => run.selector.choose(filters), [run, filters])
  const change: Change = (to, how) => go(runRouteOf(run.id, { ...filters, ...to }), how)
  useKeys({ '/': () => search.current?.focus() })
  const all = `${format.count(run.rows.length)} ${run.rows.length === 1 ? 'test' : 'tests'}`
  return (
    <section class="tests" id="tests" aria-labelledby="tests-name">
      <div class="section-head">
        <h2 id="tests-name" tabIndex={-1}>
          Tests
        </h2>
        <p class="count" aria-live="polite">
          {isFiltered(filters) ? `${format.count(chosen.length)} of ${all}` : all}
        </p>
        <KeysHelp keys={KEYS} />
      </div>
      {run.data.left_out > 0 && <p class="notice">{leftOut(run)}</p>}
      <Toolbar rows={run.rows} filters={filters} change={change} search={search}>
        <SortSelect rows={run.rows} filters={filters} change={change} />
      </Toolbar>
      <TestsTable run={run} chosen={chosen} filters={filters} change={change} screen={screenKey(runRouteOf(run.id))} />
    </section>
  )
}

function leftOut({ data: { left_out }, rows }: OpenRun): string {
  return `This page has the ${format.count(rows.length)} most urgent of ${format.count(rows.length + left_out)} tests: errors, failures, borderline and flaky tests first. All other numbers cover all tests.`
}
