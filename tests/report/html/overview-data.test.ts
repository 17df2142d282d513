import { expect, it } from 'vitest'
import { RunStatistics } from '../../../src/report/html/overview-data.ts'
import { outcomeOf } from '../../../src/report/outcome/run-outcome.ts'
import { runOf, trialsOf } from '../../support/recorded-run.ts'

const figuresOf = (...results: Parameters<typeof runOf>[0][]) => {
  const run = runOf(results.flat())
  return new RunStatistics(run, outcomeOf(run).tests)
}

it('excludes cached answers from the total cost, but not from the mean cost of an answer', () => {
  const { cost_usd, mean_cost_usd } = figuresOf([
    { test_id: 'a', cost_usd: 0.5, cached: true },
    { test_id: 'b', cost_usd: 0.25 },
  ]).all
  expect({ cost_usd, mean_cost_usd }).toEqual({ cost_usd: 0.25, mean_cost_usd: 0.375 })
  expect(figuresOf([{ cost_usd: 0.5, cached: true }]).all.cost_usd).toBeUndefined()
})

it('has rate and score for each target, never for several together', () => {
  const one = figuresOf(trialsOf('a', [1]), trialsOf('b', [0]))
  expect(one.all).toMatchObject({ pass_rate: { rate: 0.5 }, score: { mean: 0.5 } })
  expect(one.suites).toMatchObject([{ name: 'suite', target: undefined, pass_rate: { rate: 0.5 } }])
  const two = figuresOf(trialsOf('a', [1], { target: 'x' }), trialsOf('a', [0], { target: 'y' }))
  expect([two.all.pass_rate, two.all.score]).toEqual([undefined, undefined])
  for (const figures of [two.targets, two.suites])
    expect(figures.map(({ target, pass_rate }) => [target, pass_rate?.rate])).toEqual([
      ['x', 1],
      ['y', 0],
    ])
})
