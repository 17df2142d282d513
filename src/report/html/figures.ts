import { groupBy } from '../../lib/group-by.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { certaintyOf } from '../certainty.ts'
import { countsOf, type TestOutcome } from '../outcome.ts'
import type { Figures, Latency } from './page-data.ts'

/** The numbers of a run, of its targets and of its suites. */
export class FiguresOfRun {
  readonly #tests: readonly TestOutcome[]
  readonly #facts: readonly ResultFacts[]
  readonly all: Figures

  constructor(run: RunReader, tests: readonly TestOutcome[]) {
    this.#tests = tests
    this.#facts = [...run.facts()]
    this.all = figuresOf('all', this.#tests, this.#facts)
  }

  by(what: 'target' | 'suite'): Figures[] {
    const groups = [...groupBy(this.#tests, test => test[what])]
    const [only, ...others] = groups
    if (only && others.length === 0) return [{ ...this.all, name: only[0] }]
    const facts = groupBy(this.#facts, fact => fact[what])
    return groups.map(([name, tests]) => figuresOf(name, tests, facts.get(name) ?? []))
  }
}

function figuresOf(name: string, tests: readonly TestOutcome[], facts: readonly ResultFacts[]): Figures {
  const { pass_rate, score } = certaintyOf(tests)
  const costs = facts.flatMap(({ cost_usd }) => cost_usd ?? [])
  const cost_usd = sum(costs)
  return {
    name,
    tests: tests.length,
    counts: countsOf(tests),
    pass_rate,
    score,
    cost_usd,
    mean_cost_usd: cost_usd === undefined ? undefined : cost_usd / costs.length,
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
