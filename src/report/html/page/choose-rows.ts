import { pressing } from '../../pressing.ts'
import type { Row } from './page-rows.ts'
import type { View } from './view.ts'

/** The rows that a view shows, in its order. */
export class Chooser {
  readonly #rows: readonly Row[]
  readonly #orders = new Map<string, readonly Row[]>()

  constructor(rows: readonly Row[]) {
    this.#rows = rows
  }

  /** Filtering keeps an order, so sorting is done once for each. */
  choose(view: View): Row[] {
    const words = view.search.toLowerCase().split(/\s+/).filter(Boolean)
    return this.#sorted(view).filter(row => isWanted(row, view, words))
  }

  #sorted({ sort, descending }: View): readonly Row[] {
    const order = `${sort} ${descending}`
    const known = this.#orders.get(order)
    if (known) return known
    const sortedBy = SORTS.get(sort) ?? pressing
    const keyed = this.#rows.map(row => ({ row, value: sortedBy(row) }))
    const sign = descending ? -1 : 1
    keyed.sort((a, b) => compare(a.value, b.value, sign) || a.row.index - b.row.index)
    const sorted = keyed.map(({ row }) => row)
    this.#orders.set(order, sorted)
    return sorted
  }
}

type Value = string | number | null

/** What each column is sorted by. */
const SORTS = new Map<string, (row: Row) => Value>([
  ['verdict', pressing],
  ['test', ({ test_id }) => test_id],
  ['suite', ({ suite }) => suite],
  ['target', ({ target }) => target],
  ['score', ({ score }) => score],
  ['trials', ({ attempts, passed }) => passed / attempts],
  ['time', ({ duration_ms }) => duration_ms],
  ['cost', ({ cost_usd }) => cost_usd],
  ['tokens', ({ tokens }) => tokens],
])

const collator = new Intl.Collator('en', { numeric: true })

/** What is not known comes last, in both directions. */
function compare(a: Value, b: Value, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'string' || typeof b === 'string') return sign * collator.compare(String(a), String(b))
  return sign * (a - b)
}

function isWanted(row: Row, view: View, words: readonly string[]): boolean {
  const { verdicts, suite, target, tag, check, missed } = view
  if (verdicts.length > 0 && !verdicts.includes(row.verdict) && !(row.is_flaky && verdicts.includes('flaky')))
    return false
  if (suite !== '' && row.suite !== suite) return false
  if (target !== '' && row.target !== target) return false
  if (tag !== '' && !row.tags.includes(tag)) return false
  if (check !== '' && !row.checks.includes(check)) return false
  if (missed !== '' && !row.missed.includes(missed)) return false
  return words.every(word => row.words.includes(word))
}
