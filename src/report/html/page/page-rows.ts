import { wellFormed } from '../../../lib/well-formed.ts'
import type { Verdict } from '../../../model/marks.ts'
import type { Result } from '../../../model/result.ts'
import type { PackedRow, PageData } from '../page-data.ts'

/** A test on a target, as the table shows it. */
export interface Row {
  readonly index: number
  /** What the address calls it. */
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
  /** What is searched, in small letters. */
  readonly words: string
}

/** What the file says at once. */
export function readData(): PageData {
  return read('run') as PageData
}

/** What was recorded of a test, read when it is opened. */
export function readResults({ index }: Row): Result[] {
  return read(`test-${index}`) as Result[]
}

function read(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null')
}

export function rowsOf(data: PageData): Row[] {
  const taken = new Map<string, number>()
  return data.rows.map((packed, index) => {
    const row = unpacked(packed, data)
    const name = `${row.test_id}@${row.target}`
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return { ...row, index, key: count === 1 ? name : `${name}~${count}`, words: wordsOf(row) }
  })
}

type Unpacked = Omit<Row, 'index' | 'key' | 'words'>

function unpacked(packed: PackedRow, data: PageData): Unpacked {
  const [test_id, suite, target, file, line, verdict, score, attempts, passed, flaky, ...rest] = packed
  const [duration_ms, cost_usd, tokens, tags, checks, missed, description, reason] = rest
  const texts = (all: readonly string[], places: readonly number[]) => places.map(place => wellFormed(all[place] ?? ''))
  return {
    test_id: wellFormed(test_id),
    suite: wellFormed(data.suites_of_rows[suite] ?? ''),
    target: wellFormed(data.targets_of_rows[target] ?? ''),
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
  }
}

function wordsOf({ test_id, suite, target, tags, checks, description, reason }: Unpacked): string {
  return [test_id, suite, target, ...tags, ...checks, description, reason].join('\n').toLowerCase()
}
