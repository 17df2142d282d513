import { useMemo, useRef } from 'preact/hooks'
import { type Change, isFiltered } from '../../filters.ts'
import { format } from '../../parts/format.ts'
import { type KeyMeaning, KeysHelp } from '../../parts/keys-help.tsx'
import { Toolbar } from '../../parts/toolbar.tsx'
import type { RunScreenProps } from '../../screen.ts'
import { useKeys } from '../../use-keys.ts'
import { MatrixTable } from './matrix-table.tsx'
import { matrixTests } from './matrix-tests.ts'

const KEYS: readonly KeyMeaning[] = [
  ['← ↑ ↓ →', 'move between cells; j and k to the next and previous test'],
  ['Enter', 'open the test on this target'],
  ['d', 'only tests on which the targets differ'],
  ['/', 'search'],
]

/** Tests × targets: where they differ, first. */
export function MatrixScreen({ run, route, go }: RunScreenProps<'matrix'>) {
  const { filters } = route
  const search = useRef<HTMLInputElement>(null)
  const tests = useMemo(() => matrixTests(run, filters), [run, filters])
  const change: Change = (to, how) => go({ ...route, filters: { ...filters, ...to } }, how)
  const differ = () => change({ differs: !filters.differs })
  useKeys({ '/': () => search.current?.focus(), d: differ })
  const all = useMemo(
    () => new Set(run.rows.map(({ test_id, suite, file }) => `${test_id} ${suite} ${file}`)).size,
    [run],
  )
  const of = `${format.count(all)} ${all === 1 ? 'test' : 'tests'}`
  return (
    <section class="matrix tests" aria-labelledby="matrix-name">
      <div class="section-head">
        <h1 id="matrix-name" tabIndex={-1}>
          Tests × targets
        </h1>
        <p class="count" aria-live="polite">
          {isFiltered(filters) ? `${format.count(tests.length)} of ${of}` : of},{' '}
          {format.count(run.selector.differing.size)} differ
        </p>
        <button type="button" class="chip" aria-pressed={filters.differs} aria-keyshortcuts="d" onClick={differ}>
          Only tests that differ
        </button>
        <KeysHelp keys={KEYS} />
      </div>
      <Toolbar rows={run.rows} filters={filters} change={change} search={search} />
      <MatrixTable run={run} tests={tests} filters={filters} change={change} />
      <p class="faint matrix-legend">
        Each dot is a trial: full if it passed. The number is the mean score. A dash: the test was not run on the
        target.
      </p>
    </section>
  )
}
