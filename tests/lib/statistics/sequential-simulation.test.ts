import { describe, expect, it } from 'vitest'
import { isAsListed, isNear, PAIR_WORLDS, RATE_WORLDS } from '../../../bench/decision-worlds.ts'
import { fixedDecisions, pairDecisions, rateDecisions } from '../../../bench/simulated-decisions.ts'
import { withNoise } from '../../../bench/simulated-runs.ts'
import { forecastRate } from '../../../src/lib/statistics/decision-forecast.ts'

const RUNS = 200
const SEED = 1

describe('simulated tests against a threshold', () => {
  it.each(RATE_WORLDS)('show what is forecast: $threshold, $most, $rate', world => {
    const [exact, found] = [forecastRate(world), rateDecisions(world, RUNS, SEED)]
    expect([exact.above, exact.below].map(share => Number((100 * share).toFixed(1)))).toEqual(world.percent)
    expect(exact.mean_tests).toBeCloseTo(world.tests, 1)
    expect(isNear(found.above, exact.above, RUNS) && isNear(found.below, exact.below, RUNS)).toBe(true)
    expect(Math.abs(found.mean_tests - exact.mean_tests)).toBeLessThan(0.1 * world.most)
  })

  it.each(RATE_WORLDS)('show nearly as much as all tests would: $threshold, $most, $rate', world => {
    const [exact, fixed] = [forecastRate(world), fixedDecisions(world)]
    expect(exact.above + exact.below).toBeGreaterThan(fixed.above + fixed.below - 0.015)
    expect(exact.mean_tests).toBeLessThan(world.most)
  })

  it.each(RATE_WORLDS.filter(({ threshold, rate }) => threshold === rate))(
    'show a false direction in at most 2.5 %: $threshold, $most',
    world => {
      const { above, below } = forecastRate(world)
      expect(Math.max(above, below)).toBeLessThanOrEqual(0.025)
    },
  )
})

describe('simulated pairs', () => {
  it.each(PAIR_WORLDS)('$name', world => {
    const found = pairDecisions('chosen', world.rates, world.most, RUNS, SEED)
    expect(isAsListed(world, found, RUNS), JSON.stringify(found)).toBe(true)
  })

  it.each(PAIR_WORLDS.filter(({ isSame }) => isSame))('are no more often wrong in rounds: $name', world => {
    const { worse, better } = pairDecisions('rounds', world.rates, world.most, RUNS, SEED)
    expect(worse + better).toBeLessThanOrEqual(withNoise(0.05, RUNS))
  })

  it('end earlier than all pairs with about the same power', () => {
    const world = PAIR_WORLDS.find(({ name }) => name === '6 stable tests break') ?? expect.unreachable()
    const [fixed, chosen] = (['fixed', 'chosen'] as const).map(plan =>
      pairDecisions(plan, world.rates, world.most, RUNS, SEED),
    )
    expect(chosen!.worse).toBeGreaterThan(fixed!.worse - 0.02)
    expect(chosen!.mean_pairs).toBeLessThan(fixed!.mean_pairs / 2)
  })

  it('are the same for the same seed', () => {
    const [world] = PAIR_WORLDS
    const found = (seed: number) => pairDecisions('chosen', world!.rates, world!.most, 20, seed)
    expect(found(7)).toEqual(found(7))
    expect(found(7)).not.toEqual(found(8))
  })
})
