import { groupBy } from '../../lib/group-by.ts'
import { textKey } from '../../lib/text-key.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { certaintyOf } from '../certainty.ts'
import { countsOf } from '../outcome.ts'
import type { TestOutcome } from '../test-outcome.ts'
import type { Figures, Latency } from './page-data.ts'

/** The numbers of a run, of its targets and of its suites. */
export class FiguresOfRun {
  readonly #tests: readonly TestOutcome[]
  readonly #facts: readonly ResultFacts[]
  readonly all: Figures
  readonly #isSeveral: boolean

  constructor(run: RunReader, tests: readonly TestOutcome[]) {
    this.#tests = tests
    this.#facts = [...run.facts()]
    const all = figuresOf('all', this.#tests, this.#facts)
    this.#isSeveral = new Set(tests.map(({ target }) => target)).size > 1
    this.all = this.#isSeveral ? { ...all, pass_rate: undefined, score: undefined } : all
  }

  get targets(): Figures[] {
    return this.#by(({ target }) => target).map(({ key, ...figures }) => ({ ...figures, name: key }))
  }

  /** Each on its own target: targets have no rate in common. */
  get suites(): Figures[] {
    return this.#by(({ suite, target }) => textKey(suite, target)).map(({ key, ...figures }) => figures)
  }

  #by(keyOf: (test: Pick<TestOutcome, 'suite' | 'target'>) => string): (Figures & { readonly key: string })[] {
    const groups = [...groupBy(this.#tests, keyOf)]
    const facts = groupBy(this.#facts, keyOf)
    return groups.map(([key, tests]) => {
      const [{ suite, target }] = tests
      const figures = groups.length === 1 ? { ...this.all, name: suite } : figuresOf(suite, tests, facts.get(key) ?? [])
      return { ...figures, key, target: this.#isSeveral ? target : undefined }
    })
  }
}

function figuresOf(name: string, tests: readonly TestOutcome[], facts: readonly ResultFacts[]): Figures {
  const { pass_rate, score } = certaintyOf(tests)
  const costs = facts.flatMap(({ cost_usd }) => cost_usd ?? [])
  const total = sum(costs)
  return {
    name,
    tests: tests.length,
    counts: countsOf(tests),
    pass_rate,
    score,
    // Answers from the cache were paid before.
    cost_usd: sum(facts.flatMap(({ cost_usd, is_cached }) => (is_cached ? [] : (cost_usd ?? [])))),
    mean_cost_usd: total === undefined ? undefined : total / costs.length,
    tokens: sum(facts.flatMap(({ tokens }) => tokens ?? [])),
    latency: latencyOf(facts.flatMap(({ duration_ms }) => duration_ms ?? [])),
  }
}

function latencyOf(durations: number[]): Latency | undefined {
  const total = sum(durations)
  if (total === undefined) return undefined
  durations.sort((a, b) => a - b)
  // The smallest that at least this share of all does not exceed.
  const at = (share: number) => durations[Math.max(0, Math.ceil(share * durations.length) - 1)] ?? 0
  return { least: at(0), median: at(0.5), p90: at(0.9), most: at(1), total }
}

function sum(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((total, number) => total + number, 0)
}
