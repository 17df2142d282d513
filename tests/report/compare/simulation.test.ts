import { describe, expect, it } from 'vitest'
import { verdictsIn, withNoise } from '../../../bench/simulated-runs.ts'
import { NO_REGRESSION, REGRESSION } from '../../../bench/worlds.ts'

const PAIRS = 200
const SEED = 1

describe('what comparisons say of runs of which the truth is known', () => {
  it.each(NO_REGRESSION.map(world => [world.name, world] as const))('%s: worse in 5 %% at most', (_, world) => {
    expect(verdictsIn(world, PAIRS, SEED).worse).toBeLessThanOrEqual(withNoise(0.05, PAIRS))
  })

  it.each(REGRESSION.map(world => [world.name, world] as const))('%s: worse in 80 %% at least', (_, world) => {
    expect(verdictsIn(world, PAIRS, SEED).worse).toBeGreaterThanOrEqual(0.8)
  })

  it('clusters that nobody tells of would be taken for differences', () => {
    const clusters = { of: 5, shift: 0.4, areHidden: true } as const
    const world = { name: 'hidden', tests: 200, trials: 1, before: 0.5, after: 0.5, clusters, margin: 0 }
    expect(verdictsIn(world, PAIRS, SEED).worse).toBeGreaterThan(withNoise(0.05, PAIRS))
  })

  it('the same seed gives the same runs', () => {
    const world = REGRESSION[0] ?? expect.unreachable()
    const small = { ...world, tests: 60 }
    expect(verdictsIn(small, 20, 7)).toEqual(verdictsIn(small, 20, 7))
    expect(verdictsIn(small, 20, 7)).not.toEqual(verdictsIn(small, 20, 8))
  })
})
