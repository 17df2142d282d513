import { describe, expect, it } from 'vitest'
import type { Result } from '../../../src/model/result.ts'
import { overviewOf } from '../../../src/report/html/overview-data.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runOf } from '../../support/recorded-run.ts'

function figuresOf(results: readonly Partial<Result>[]) {
  const run = runOf(results)
  return overviewOf(run, outcomeOf(run), {})
}

describe('the distributions of a run', () => {
  it('count every value once on each target, in steps that all share', () => {
    const { durations } = figuresOf(
      [120, 130, 9_000, 9_000].map((duration_ms, index) => ({ duration_ms, target: index < 3 ? 'a' : 'b' })),
    ).distributions
    expect(durations?.is_logarithmic).toBe(true)
    expect([durations?.bounds[0], durations?.bounds.at(-1)]).toEqual([100, 10_000])
    expect(
      durations?.targets.map(({ target, counts, median }) => [target, counts.reduce((a, b) => a + b), median]),
    ).toEqual([
      ['a', 3, 130],
      ['b', 1, 9_000],
    ])
  })

  it('are linear from 0 for values that are close, and for costs of 0', () => {
    const { durations, costs } = figuresOf([
      { duration_ms: 300, cost_usd: 0 },
      { duration_ms: 330, cost_usd: 0.5 },
    ]).distributions
    expect([durations?.is_logarithmic, durations?.bounds[0], durations?.bounds.at(-1)]).toEqual([false, 0, 400])
    expect([costs?.is_logarithmic, costs?.bounds[0], costs?.bounds.at(-1)]).toEqual([false, 0, 0.5])
  })

  it('have the best score in the last step, and none without a value', () => {
    const { scores, costs } = figuresOf([{ score: 1 }, { score: 0 }, { score: null, verdict: 'error' }]).distributions
    expect(scores?.targets[0]?.counts).toEqual([1, ...Array(18).fill(0), 1])
    expect(costs).toBeUndefined()
  })
})

describe('the figures of a run', () => {
  it('have the time from the first start to the last end', () => {
    const at = (second: number, duration_ms?: number) => ({
      timestamp: `2026-11-15T09:30:0${second}.000Z`,
      ...(duration_ms === undefined ? {} : { duration_ms }),
    })
    expect(figuresOf([at(5, 100), at(1, 9_000), at(2)]).elapsed_ms).toBe(9_000)
    expect(figuresOf([at(5, 100), { timestamp: 'yesterday' }]).elapsed_ms).toBeUndefined()
  })

  it('have the pass rate of each tag on each target, with the most frequent tags', () => {
    const tagged = Array.from({ length: 30 }, (_, index) => ({ tags: index === 0 ? [] : ['all', `tag-${index}`] }))
    const { slices, more } = figuresOf(tagged).tag_slices
    expect([slices.length, more]).toEqual([25, 6])
    expect(slices.find(({ name }) => name === 'all')?.tests).toBe(29)
    expect(slices.at(-1)).toMatchObject({ name: null, tests: 1 })
    expect(figuresOf([{ tags: [] }]).tag_slices).toEqual({ slices: [], more: 0 })
  })

  it('have the reliability of each target', () => {
    const trials = ['pass', 'fail', 'pass', 'error'].map((verdict, index) => ({
      test_id: 't',
      target: index < 3 ? 'a' : 'b',
      trial: (index % 3) + 1,
      verdict: verdict as Result['verdict'],
      score: verdict === 'pass' ? 1 : verdict === 'fail' ? 0 : null,
    }))
    expect(figuresOf(trials).reliability).toMatchObject([
      { target: 'a', attempts: 3, errors: 0, trials: { k: 3, most: 3, flaky: 1, pass_at_k: 1, pass_hat_k: 0 } },
      { target: 'b', attempts: 1, errors: 1, trials: { k: 1, most: 1 } },
    ])
  })
})
