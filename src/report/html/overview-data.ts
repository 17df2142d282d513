import { compositeKey, groupBy } from '../../lib/collections.ts'
import { shellWord } from '../../lib/text/quote.ts'
import type { RunInfo } from '../../model/run-info.ts'
import type { ResultFacts, RunReader } from '../../model/run-reader.ts'
import { compareAgainst, comparisonSections } from '../compare/against.ts'
import { runArms } from '../compare/arms.ts'
import { noiseLines } from '../estimates-text.ts'
import { correctionLines } from '../outcome/corrected/corrected-text.ts'
import { estimatesOf } from '../outcome/estimates.ts'
import { listMarked } from '../outcome/marked-tests.ts'
import { notesBesideArms } from '../outcome/run-notes.ts'
import { countsOf, type Outcome } from '../outcome/run-outcome.ts'
import type { TestOutcome } from '../outcome/test-outcome.ts'
import { pairTexts } from '../pair-text.ts'
import { provenanceLinks, provenanceText } from '../provenance.ts'
import type { ReportOptions } from '../reporter.ts'
import { runSlices } from '../slices/run-slices.ts'
import { slicesTable } from '../slices/slices-table.ts'
import { testsText } from '../summary.ts'
import { triggerTables } from '../trigger-table.ts'
import { distributionsOf } from './distributions.ts'
import type { GroupStatistics, Latency, Overview, RunFacts } from './page-data.ts'
import { reliabilityOf } from './reliability.ts'
import { tagSlices } from './tag-slices.ts'

export function overviewOf(run: RunReader, outcome: Outcome, { by, against }: ReportOptions): Overview {
  const { planned_tests, not_run, judge_usage } = outcome
  const statistics = new RunStatistics(run, outcome.tests)
  const sliced = runSlices(run, outcome, by)
  const corrected = correctionLines(outcome)
  return {
    run: run.info && runFacts(run.info),
    all: statistics.all,
    targets: statistics.targets,
    suites: statistics.suites,
    corrected: corrected.length === 0 ? undefined : corrected,
    tests_text: testsText(outcome),
    notes: notesBesideArms(outcome),
    marked: markedLines(outcome),
    elapsed_ms: elapsedOf(run.facts()),
    distributions: distributionsOf(outcome.tests, [...run.facts()]),
    reliability: reliabilityOf(outcome.tests),
    noise: noiseLines(outcome),
    tag_slices: tagSlices(run, outcome),
    triggers: triggerTables(outcome),
    pairs: pairTexts(outcome),
    arms: comparisonSections(runArms(run, outcome), against && compareAgainst(run, against)),
    slices: sliced && slicesTable(sliced.by, sliced.slices),
    suite_files: (run.info?.suites ?? []).map(({ name, file }) => ({ name, file })),
    planned_tests,
    not_run,
    judge_usage,
  }
}

function markedLines(outcome: Outcome): string[] {
  return listMarked(outcome).flatMap(({ tests, more }) => [
    ...tests.map(({ standing, name, file, line, text }) => `${standing} ${name} (${file}:${line}): ${text}`),
    ...more,
  ])
}

/** Leaves out the run folder, because reports are shared. */
export function runFacts(info: RunInfo): RunFacts {
  const { run_id, started, assay_version, previous, shard } = info
  const command = info.command?.map(shellWord).join(' ')
  const provenance = provenanceText(info)
  return { run_id, started, assay_version, previous, shard, command, provenance, ...provenanceLinks(info) }
}

/** Time from the first to the last attempt; undefined if the start of any attempt, or the end of all, is not known. */
export function elapsedOf(facts: Iterable<ResultFacts>): number | undefined {
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { started_ms, ended_ms } of facts) {
    if (started_ms === undefined) return undefined
    start = Math.min(start, started_ms)
    end = Math.max(end, ended_ms ?? end)
  }
  return end > start ? end - start : undefined
}

/** Statistics of a run, its targets and its suites. */
export class RunStatistics {
  readonly #tests: readonly TestOutcome[]
  readonly #facts: readonly ResultFacts[]
  readonly all: GroupStatistics
  readonly #isSeveral: boolean

  constructor(run: RunReader, tests: readonly TestOutcome[]) {
    this.#tests = tests
    this.#facts = [...run.facts()]
    const all = statisticsOf('all', this.#tests, this.#facts)
    this.#isSeveral = new Set(tests.map(({ target }) => target)).size > 1
    this.all = this.#isSeveral ? { ...all, pass_rate: undefined, score: undefined } : all
  }

  get targets(): GroupStatistics[] {
    return this.#by(({ target }) => target).map(({ key, ...statistics }) => ({ ...statistics, name: key }))
  }

  /** Suites per target: several targets have no common rate. */
  get suites(): GroupStatistics[] {
    return this.#by(({ suite, target }) => compositeKey(suite, target)).map(({ key, ...statistics }) => statistics)
  }

  #by(keyOf: (test: Pick<TestOutcome, 'suite' | 'target'>) => string): (GroupStatistics & { readonly key: string })[] {
    const groups = [...groupBy(this.#tests, keyOf)]
    const facts = groupBy(this.#facts, keyOf)
    return groups.map(([key, tests]) => {
      const [{ suite, target }] = tests
      const statistics =
        groups.length === 1 ? { ...this.all, name: suite } : statisticsOf(suite, tests, facts.get(key) ?? [])
      return { ...statistics, key, target: this.#isSeveral ? target : undefined }
    })
  }
}

function statisticsOf(name: string, tests: readonly TestOutcome[], facts: readonly ResultFacts[]): GroupStatistics {
  const { pass_rate, score } = estimatesOf(tests)
  const costs = facts.flatMap(({ cost_usd }) => cost_usd ?? [])
  const total = sum(costs)
  return {
    name,
    is_control: tests.length > 0 && tests.every(({ is_control }) => is_control) ? true : undefined,
    tests: tests.length,
    counts: countsOf(tests),
    pass_rate,
    score,
    // Cached answers were paid for earlier.
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
  // Nearest-rank percentile.
  const at = (share: number) => durations[Math.max(0, Math.ceil(share * durations.length) - 1)] ?? 0
  return { least: at(0), median: at(0.5), p90: at(0.9), most: at(1), total }
}

function sum(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : numbers.reduce((total, number) => total + number, 0)
}
