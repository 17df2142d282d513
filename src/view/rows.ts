import { compositeKey } from '../lib/collections.ts'
import { wellFormed } from '../lib/text/unicode.ts'
import type { Verdict } from '../model/verdict.ts'
import { type PackedRow, type PageData, urgencyOf } from '../report/html/page-data.ts'
import type { Standing } from '../report/outcome/marked-tests.ts'
import type { Filters } from './filters.ts'

/** A row of the table: a test on a target. */
export interface Row {
  readonly index: number
  /** Key of the test in the URL. */
  readonly key: string
  readonly test_id: string
  readonly suite: string
  readonly target: string
  readonly file: string
  readonly line: number
  readonly verdict: Verdict
  readonly score: number | null
  readonly attempts: number
  readonly passed: number
  readonly is_flaky: boolean
  readonly duration_ms: number | null
  readonly cost_usd: number | null
  readonly tokens: number | null
  readonly tags: readonly string[]
  readonly checks: readonly string[]
  readonly missed: readonly string[]
  readonly description: string
  readonly reason: string
  /** Undefined for a verdict that means what it says. */
  readonly standing: Standing | undefined
}

export function rowsOf(data: PageData): Row[] {
  const shared = sharedTexts(data)
  const taken = new Map<string, number>()
  return data.rows.map((packed, index) => {
    const row = unpacked(packed, shared)
    const name = `${row.test_id}@${row.target}`
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return { ...row, index, key: count === 1 ? name : `${name}~${count}` }
  })
}

/** Names a row by its index, for links from elsewhere that do not know its key. Every key has an `@`. */
export function indexKey(index: number): string {
  return `~${index}`
}

type UnpackedRow = Omit<Row, 'index' | 'key'>

type SharedTexts = Pick<PageData, 'suites_of_rows' | 'targets_of_rows' | 'files' | 'tags' | 'checks'>

/** The texts that rows share; those in addresses have to be well-formed. */
function sharedTexts({ suites_of_rows, targets_of_rows, files, tags, checks }: PageData): SharedTexts {
  return {
    suites_of_rows: suites_of_rows.map(wellFormed),
    targets_of_rows: targets_of_rows.map(wellFormed),
    files,
    tags: tags.map(wellFormed),
    checks: checks.map(wellFormed),
  }
}

function unpacked(packed: PackedRow, data: SharedTexts): UnpackedRow {
  const [test_id, suite, target, file, line, verdict, score, attempts, passed, flaky, ...rest] = packed
  const [duration_ms, cost_usd, tokens, tags, checks, missed, description, reason, standing] = rest
  const texts = (all: readonly string[], indexes: readonly number[]) => indexes.map(index => all[index] ?? '')
  return {
    test_id: wellFormed(test_id),
    suite: data.suites_of_rows[suite] ?? '',
    target: data.targets_of_rows[target] ?? '',
    file: data.files[file] ?? '',
    line,
    verdict,
    score,
    attempts,
    passed,
    is_flaky: flaky === 1,
    duration_ms,
    cost_usd,
    tokens,
    tags: texts(data.tags, tags),
    checks: texts(data.checks, checks),
    missed: texts(data.checks, missed),
    description,
    reason,
    standing: standing ?? undefined,
  }
}

/** The filters that select a row. A test in quarantine has no verdict that counts. */
export function kindsOf({ verdict, is_flaky, standing }: Row): readonly string[] {
  if (standing === 'quarantined') return [standing]
  return [verdict, ...(is_flaky ? ['flaky'] : []), ...(standing ? [standing] : [])]
}

function wordsOf(row: Row): string {
  const { test_id, suite, target, tags, checks, description, reason, standing = '' } = row
  return [test_id, suite, target, ...tags, ...checks, description, reason, standing].join('\n').toLowerCase()
}

/** Selects and sorts rows. */
export class RowSelector {
  readonly #rows: readonly Row[]
  readonly #orders = new Map<string, readonly Row[]>()
  #differing: ReadonlySet<string> | undefined
  /** Searchable texts in lower case, by the index of the row; made by the first search. */
  #words: readonly string[] | undefined

  constructor(rows: readonly Row[]) {
    this.#rows = rows
  }

  /** Filtering keeps the order, so each order is sorted once. */
  choose(filters: Filters): Row[] {
    const words = filters.search.toLowerCase().split(/\s+/).filter(Boolean)
    const matching = this.#sorted(filters).filter(row => isMatch(row, filters))
    const chosen = words.length === 0 ? matching : matching.filter(row => this.#has(row, words))
    return filters.differs ? chosen.filter(row => this.differing.has(testOf(row))) : chosen
  }

  #has({ index }: Row, words: readonly string[]): boolean {
    this.#words ??= this.#rows.map(wordsOf)
    const text = this.#words[index] ?? ''
    return words.every(word => text.includes(word))
  }

  /** The tests whose targets do not have the same verdict. */
  get differing(): ReadonlySet<string> {
    this.#differing ??= differingTests(this.#rows)
    return this.#differing
  }

  #sorted({ sort, descending }: Filters): readonly Row[] {
    const order = `${sort} ${descending}`
    const known = this.#orders.get(order)
    if (known) return known
    const sortedBy = SORTS.get(sort) ?? urgencyOf
    const keyed = this.#rows.map(row => ({ row, value: sortedBy(row) }))
    const sign = descending ? -1 : 1
    keyed.sort((a, b) => compare(a.value, b.value, sign) || a.row.index - b.row.index)
    const sorted = keyed.map(({ row }) => row)
    this.#orders.set(order, sorted)
    return sorted
  }
}

/** Names a test on any target. */
export function testOf({ test_id, suite, file }: Row): string {
  return compositeKey(test_id, suite, file)
}

function differingTests(rows: readonly Row[]): Set<string> {
  const verdicts = new Map<string, string>()
  const differing = new Set<string>()
  for (const row of rows) {
    const test = testOf(row)
    const verdict = verdicts.get(test)
    if (verdict === undefined) verdicts.set(test, row.verdict)
    else if (verdict !== row.verdict) differing.add(test)
  }
  return differing
}

type Value = string | number | null

/** Sort key of each column. */
const SORTS = new Map<string, (row: Row) => Value>([
  ['verdict', urgencyOf],
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

/** Sorts unknown values last in both directions. */
function compare(a: Value, b: Value, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  if (typeof a === 'string' || typeof b === 'string') return sign * collator.compare(String(a), String(b))
  return sign * (a - b)
}

function isMatch(row: Row, filters: Filters): boolean {
  const { verdicts, suite, target, tag, check, missed } = filters
  if (verdicts.length > 0 && !kindsOf(row).some(kind => verdicts.includes(kind))) return false
  if (suite !== '' && row.suite !== suite) return false
  if (target !== '' && row.target !== target) return false
  if (tag !== '' && !row.tags.includes(tag)) return false
  if (check !== '' && !row.checks.includes(check)) return false
  return missed === '' || row.missed.includes(missed)
}
