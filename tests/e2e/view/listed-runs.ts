import type { GroupStatistics } from '../../../src/report/html/page-data.ts'
import type { ListedRunData, RunsData } from '../../../src/report/html/view-data.ts'

/** The figures of a target in a run. */
export function targetWith(name: string, rate: number, tests = 40): GroupStatistics {
  const passed = Math.round(rate * tests)
  return {
    name,
    tests,
    counts: { pass: passed, borderline: 0, fail: tests - passed, error: 0 },
    pass_rate: { rate, tests, attempts: tests, interval: { low: rate * 0.8, high: Math.min(1, rate * 1.1) } },
    score: undefined,
    cost_usd: name === 'large' ? 0.4 : 0.02,
    mean_cost_usd: undefined,
    tokens: undefined,
    latency: undefined,
  }
}

/** A run of two targets; missing fields are those of a finished one. */
export function listedRun(number: number, run: Partial<ListedRunData> = {}): ListedRunData {
  const id = `20261115-0930${String(number).padStart(2, '0')}-abcd`
  const started = `2026-11-15T09:30:${String(number).padStart(2, '0')}.000Z`
  return {
    id,
    started,
    facts: {
      run_id: id,
      started,
      assay_version: '0.1.0',
      previous: undefined,
      shard: undefined,
      provenance: undefined,
      commit_url: undefined,
      ci_url: undefined,
      label: undefined,
      commit: `${number}`.repeat(40).slice(0, 40),
      branch: 'main',
      is_dirty: false,
      command: 'assay eval',
      suites: ['support'],
    },
    problem: undefined,
    targets: [targetWith('large', 0.5 + number / 80), targetWith('small', 0.7)],
    tests: 40,
    elapsed_ms: 61_000,
    is_live: false,
    partial: undefined,
    baseline: undefined,
    ...run,
  }
}

/** The newest run goes on, another one is a part, one cannot be read. */
export function manyRuns(): RunsData {
  const runs = Array.from({ length: 36 }, (_, index) => listedRun(40 - index))
  const [first, second, third, fourth, ...rest] = runs as [ListedRunData, ListedRunData, ListedRunData, ListedRunData]
  return {
    runs: [
      { ...first, is_live: true, partial: 'not finished' },
      { ...second, baseline: { verdict: 'worse', text: 'support: −0.167 [−0.329 to −0.021]' } },
      {
        ...third,
        facts: third.facts && { ...third.facts, label: 'nightly', is_dirty: true },
        partial: '12 of 40 tests',
      },
      { ...fourth, problem: 'results.jsonl cannot be read', targets: [], facts: undefined },
      ...rest,
    ],
    more: 4,
  }
}
