import { groupBy } from '../../lib/collections.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { testKey } from '../../model/run-reader.ts'
import { RowPacker } from '../../report/html/packed-rows.ts'
import type { PackedRow, PackedRows } from '../../report/html/page-data.ts'
import { pageTests } from '../../report/html/page-tests.ts'
import { allTests } from '../../report/outcome/marked-tests.ts'
import type { Outcome } from '../../report/outcome/run-outcome.ts'
import { type RunTest, runTests } from '../../report/outcome/run-tests.ts'

/**
 * The rows of a run. A row keeps its index while results are added, so that a page that was loaded earlier opens the
 * right test. Only rows with new results are packed again.
 */
export class RunRows {
  readonly #packer = new RowPacker()
  #places = new Map<string, number>()
  #packed = new Map<string, { readonly facts: readonly ResultFacts[]; readonly row: PackedRow }>()

  /** The tests of the rows, and how many tests have none. */
  tests(run: RunReader, outcome: Outcome): { readonly tests: readonly RunTest[]; readonly left_out: number } {
    const all = runTests(run, { tests: allTests(outcome) })
    const keys = new Set(all.map(test => testKey(test.outcome)))
    // A changed suite may have removed tests of a resumed run.
    if ([...this.#places.keys()].some(key => !keys.has(key))) this.#places = new Map()
    for (const key of keys) if (!this.#places.has(key)) this.#places.set(key, this.#places.size)
    const placeOf = ({ outcome }: RunTest) => this.#places.get(testKey(outcome)) ?? 0
    const tests = pageTests(all.toSorted((a, b) => placeOf(a) - placeOf(b)))
    return { tests, left_out: all.length - tests.length }
  }

  /** The index of the row of a test, without computing outcomes: for a run that goes on, at each request. */
  placeOf(test: Parameters<typeof testKey>[0], recorded: Iterable<ResultFacts>): number | undefined {
    const known = this.#places.get(testKey(test))
    if (known !== undefined) return known
    for (const facts of recorded) {
      const key = testKey(facts)
      if (!this.#places.has(key)) this.#places.set(key, this.#places.size)
    }
    return this.#places.get(testKey(test))
  }

  pack(tests: readonly RunTest[]): PackedRows {
    const rows = tests.map(test => this.#rowOf(test))
    return { ...this.#packer.tables, rows }
  }

  #rowOf({ outcome, attempts }: RunTest): PackedRow {
    const key = testKey(outcome)
    const known = this.#packed.get(key)
    // The facts of a result are made once, when it is read.
    if (known && isSame(known.facts, outcome.results)) return known.row
    const row = this.#packer.rowOf(outcome, attempts())
    this.#packed.set(key, { facts: outcome.results, row })
    return row
  }
}

function isSame(some: readonly ResultFacts[], others: readonly ResultFacts[]): boolean {
  return some.length === others.length && some.every((facts, index) => facts === others[index])
}

/** The index of the row of a test, by its key. */
export function rowIndexes(tests: readonly RunTest[]): ReadonlyMap<string, number> {
  return new Map(
    [...groupBy([...tests.entries()], ([, { outcome }]) => testKey(outcome))].map(([key, [[index]]]) => [key, index]),
  )
}
