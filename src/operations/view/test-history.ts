import type { Host } from '../../model/host.ts'
import { type ResultFacts, testKey } from '../../model/run-reader.ts'
import { UserError } from '../../model/user-error.ts'
import type { RunEntry } from '../../record/list-runs.ts'
import type { HistoryEntry, TestHistory } from '../../report/html/view-data.ts'
import type { TestOutcome } from '../../report/outcome/test-outcome.ts'
import { type RunStore, recordFacts, type ViewedRun } from './run-store.ts'
import type { RunsList } from './runs-list.ts'

/** How many results of a test are shown, and how many runs are looked at. */
const MOST_ENTRIES = 30
const MOST_RUNS = 100

/** How many tests of other runs are kept in memory. */
const MOST_KEPT = 300_000

/** A test of a run. */
interface Summary extends Omit<HistoryEntry, 'run' | 'started' | 'label' | 'commit' | 'is_changed'> {
  readonly test_hash: string | undefined
}

interface RunSummaries {
  readonly facts: string
  readonly tests: ReadonlyMap<string, Summary>
}

/** The results of tests over runs. */
export class TestHistories {
  readonly #store: RunStore
  readonly #list: RunsList
  readonly #host: Host
  readonly #known = new Map<string, RunSummaries>()

  constructor(store: RunStore, list: RunsList, host: Host) {
    this.#store = store
    this.#list = list
    this.#host = host
  }

  /** The results of the test of a row, with those of later runs; undefined without the run or the row. */
  async read(id: string, index: number): Promise<TestHistory | undefined> {
    const test = await this.#store.use(id, ({ page }) => page.tests[index]?.outcome)
    if (!test) return undefined
    const found: { readonly entry: RunEntry; readonly summary: Summary }[] = []
    const entries = (await this.#list.entries()).filter(({ info }) => hasSuite(info, test.suite))
    for (const entry of entries.slice(0, MOST_RUNS)) {
      const summary = (await this.#testsOf(entry))?.get(testKey(test))
      if (summary) found.push({ entry, summary })
      if (found.length === MOST_ENTRIES) break
    }
    found.reverse()
    return { runs: found.map(({ entry, summary }, at) => historyEntry(entry, summary, found[at - 1]?.summary)) }
  }

  async #testsOf({ id, folder }: RunEntry): Promise<ReadonlyMap<string, Summary> | undefined> {
    const facts = await recordFacts(folder, this.#host)
    const known = this.#known.get(id)
    if (known?.facts === facts) return known.tests
    const tests = await this.#store.use(id, summariesOf).catch(error => {
      // The other runs are still shown.
      if (error instanceof UserError) return undefined
      throw error
    })
    if (tests) this.#keep(id, { facts, tests })
    return tests
  }

  #keep(id: string, summaries: RunSummaries): void {
    this.#known.delete(id)
    this.#known.set(id, summaries)
    let kept = [...this.#known.values()].reduce((sum, { tests }) => sum + tests.size, 0)
    for (const [oldest, { tests }] of this.#known) {
      if (kept <= MOST_KEPT || oldest === id) break
      this.#known.delete(oldest)
      kept -= tests.size
    }
  }
}

function hasSuite(info: RunEntry['info'], suite: string): boolean {
  return info === undefined || info.suites.some(({ name }) => name === suite)
}

function summariesOf({ page }: ViewedRun): ReadonlyMap<string, Summary> {
  return new Map(page.tests.map(({ outcome }, index) => [testKey(outcome), summaryOf(outcome, index)]))
}

function summaryOf(outcome: TestOutcome, index: number): Summary {
  const { verdict, score, attempts, passed, results, test_hash } = outcome
  const durations = known(results, ({ duration_ms }) => duration_ms)
  const costs = known(results, ({ cost_usd }) => cost_usd)
  return {
    index,
    verdict,
    score,
    attempts,
    passed,
    duration_ms: durations.length === 0 ? undefined : sumOf(durations) / durations.length,
    cost_usd: costs.length === 0 ? undefined : sumOf(costs),
    test_hash,
  }
}

function known(results: readonly ResultFacts[], numberOf: (facts: ResultFacts) => number | undefined): number[] {
  return results.flatMap(facts => numberOf(facts) ?? [])
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function historyEntry(entry: RunEntry, { test_hash, ...summary }: Summary, before: Summary | undefined): HistoryEntry {
  const { id: run, started, info } = entry
  const is_changed = before !== undefined && before.test_hash !== test_hash
  return { run, started, label: info?.label, commit: info?.git_commit, ...summary, is_changed }
}
