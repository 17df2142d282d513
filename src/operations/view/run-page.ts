import type { Calibration } from '../../model/calibration.ts'
import type { Result } from '../../model/result.ts'
import { testKey } from '../../model/run-reader.ts'
import type { OpenRun } from '../../record/read-run.ts'
import { overviewOf } from '../../report/html/overview-data.ts'
import type { PageData } from '../../report/html/page-data.ts'
import { correctedOutcome } from '../../report/outcome/corrected/corrected-rates.ts'
import { type Outcome, outcomeOf } from '../../report/outcome/run-outcome.ts'
import type { RunTest } from '../../report/outcome/run-tests.ts'
import type { TestOutcome } from '../../report/outcome/test-outcome.ts'
import { type RunRows, rowIndexes } from './run-rows.ts'

interface ShownTests {
  readonly tests: readonly RunTest[]
  readonly left_out: number
  /** By the key of the test. */
  readonly indexes: ReadonlyMap<string, number>
}

/** What the page of a run shows, computed once for each state of the records. */
export class RunPage {
  readonly #reader: OpenRun
  readonly #rows: RunRows
  #outcome: Outcome | undefined
  #shown: ShownTests | undefined
  #data: { readonly calibrations: string; readonly data: PageData } | undefined

  constructor(reader: OpenRun, rows: RunRows) {
    this.#reader = reader
    this.#rows = rows
  }

  /** Forgets what was computed: the records have changed. */
  renew(): void {
    this.#outcome = undefined
    this.#shown = undefined
    this.#data = undefined
  }

  get outcome(): Outcome {
    this.#outcome ??= outcomeOf(this.#reader)
    return this.#outcome
  }

  /** The tests of the rows. */
  get tests(): readonly RunTest[] {
    return this.#tests.tests
  }

  /** The index of the row of a test; undefined without a row. */
  indexOf(test: Pick<TestOutcome, 'test_id' | 'target' | 'suite' | 'file'>): number | undefined {
    return this.#tests.indexes.get(testKey(test))
  }

  /** The same while the run goes on, and quick; right as long as a page has rows for all tests. */
  liveIndexOf(test: Pick<TestOutcome, 'test_id' | 'target' | 'suite' | 'file'>): number | undefined {
    return this.#rows.placeOf(test, this.#reader.facts())
  }

  /** The results of a row; undefined for an index without one. */
  results(index: number): readonly Result[] | undefined {
    return this.tests[index]?.attempts()
  }

  data(calibrations: readonly Calibration[]): PageData {
    const key = JSON.stringify(calibrations)
    if (this.#data?.calibrations !== key) this.#data = { calibrations: key, data: this.#dataWith(calibrations) }
    return this.#data.data
  }

  #dataWith(calibrations: readonly Calibration[]): PageData {
    const { tests, left_out } = this.#tests
    const outcome = correctedOutcome(this.#reader, calibrations)
    return { ...overviewOf(this.#reader, outcome, {}), left_out, ...this.#rows.pack(tests) }
  }

  get #tests(): ShownTests {
    if (!this.#shown) {
      const shown = this.#rows.tests(this.#reader, this.outcome)
      this.#shown = { ...shown, indexes: rowIndexes(shown.tests) }
    }
    return this.#shown
  }
}
