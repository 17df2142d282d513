import type { Filters } from '../../filters.ts'
import type { OpenRun } from '../../open-run.ts'
import { type Row, testOf } from '../../rows.ts'

/** A test on all targets. */
export interface MatrixTest {
  readonly key: string
  readonly test_id: string
  readonly suite: string
  /** In the order of the targets; undefined where the test was not run. */
  readonly cells: readonly (Row | undefined)[]
  /** How far the targets are apart, from 0 to 1. */
  readonly disagreement: number
}

/** The tests of which a filter chooses at least one target; all their targets are shown. */
export function matrixTests(run: OpenRun, filters: Filters): MatrixTest[] {
  const chosen = new Set(run.selector.choose({ ...filters, sort: '', descending: false }).map(testOf))
  const tests = allTests(run).filter(({ key }) => chosen.has(key))
  const order = orderOf(filters.sort, run)
  const sign = filters.descending ? -1 : 1
  return tests
    .map((test, index) => ({ test, index, value: order(test) }))
    .sort((a, b) => sign * compare(a.value, b.value) || a.index - b.index)
    .map(({ test }) => test)
}

const cache = new WeakMap<OpenRun, readonly MatrixTest[]>()

/** Made once for each run, because filters change with each typed letter. */
function allTests(run: OpenRun): readonly MatrixTest[] {
  const known = cache.get(run)
  if (known) return known
  const columns = new Map(run.targets.map((target, index) => [target, index]))
  const rows = new Map<string, (Row | undefined)[]>()
  for (const row of run.rows) {
    const cells = rows.get(testOf(row)) ?? run.targets.map(() => undefined)
    cells[columns.get(row.target) ?? 0] = row
    rows.set(testOf(row), cells)
  }
  const tests = [...rows].flatMap(([key, cells]): MatrixTest[] => {
    const first = cells.find(cell => cell !== undefined)
    if (!first) return []
    return [{ key, test_id: first.test_id, suite: first.suite, cells, disagreement: disagreementOf(cells) }]
  })
  cache.set(run, tests)
  return tests
}

/** The share of trials that passed says more than the verdict, and the score more than both if verdicts are the same. */
function disagreementOf(cells: readonly (Row | undefined)[]): number {
  const known = cells.flatMap(cell => cell ?? [])
  const spread = (values: readonly number[]) => (values.length < 2 ? 0 : Math.max(...values) - Math.min(...values))
  const verdicts = new Set(known.map(({ verdict }) => verdict)).size > 1 ? 1 : 0
  const passes = spread(known.map(({ passed, attempts }) => passed / attempts))
  const scores = spread(known.map(({ score }) => score ?? 0))
  return (4 * verdicts + 2 * passes + scores) / 7
}

type Value = string | number

/** Disagreement first, unless a name or a target is chosen; on a target, the worst score first. */
function orderOf(sort: string, { targets }: OpenRun): (test: MatrixTest) => Value {
  if (sort === 'test') return ({ test_id }) => test_id
  const column = sort.startsWith('target:') ? targets.indexOf(sort.slice('target:'.length)) : -1
  if (column >= 0) return ({ cells }) => cells[column]?.score ?? (cells[column] ? -1 : 2)
  return ({ disagreement }) => -disagreement
}

const collator = new Intl.Collator('en', { numeric: true })

function compare(a: Value, b: Value): number {
  return typeof a === 'string' || typeof b === 'string' ? collator.compare(String(a), String(b)) : a - b
}
