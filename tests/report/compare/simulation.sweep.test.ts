import { describe, expect, it } from 'vitest'
import { coverageOf, verdictsIn, type World, withNoise } from '../../../bench/simulated-runs.ts'
import { AT_THE_MARGIN, KNOWN_AGENTS, NO_REGRESSION, REGRESSION } from '../../../bench/worlds.ts'

const PAIRS = 200
const SEED = 1

describe('comparisons of simulated runs', () => {
  it.each([...NO_REGRESSION, AT_THE_MARGIN])(
    '$name: at most one of 20 gates fails, and at most one of 20 is better',
    world => {
      const { failed, better } = verdictsIn(world, PAIRS, SEED)
      expect(Math.max(failed, better)).toBeLessThanOrEqual(withNoise(0.05, PAIRS))
    },
  )

  it.each(REGRESSION)('$name: at least four of five gates fail', world => {
    expect(verdictsIn(world, PAIRS, SEED).failed).toBeGreaterThanOrEqual(0.8)
  })

  it('reports false differences if clusters are not recorded', () => {
    const agent = {
      tests: 200,
      trials: 1,
      rate: 0.5,
      clusters: { sizes: Array(40).fill(5), icc: 0.64, areHidden: true },
    } as const
    const world: World = { name: 'hidden', before: agent, after: agent, margin: 0 }
    expect(verdictsIn(world, PAIRS, SEED).failed).toBeGreaterThan(withNoise(0.05, PAIRS))
  })

  it('finds one broken test of eight with ten trials, though the mean shows nothing', () => {
    const agent = { tests: 8, trials: 10, rate: 1 }
    const world: World = { name: 'one of eight', before: agent, after: { ...agent, broken: 1 }, margin: 0 }
    expect(verdictsIn(world, PAIRS, SEED)).toMatchObject({ failed: 1, worse: 0 })
  })

  it('gives the same runs for the same seed', () => {
    const small = NO_REGRESSION.find(({ name }) => name === 'the same, 20 tests') ?? expect.unreachable()
    expect(verdictsIn(small, 100, 7)).toEqual(verdictsIn(small, 100, 7))
    expect(verdictsIn(small, 100, 7)).not.toEqual(verdictsIn(small, 100, 8))
  })
})

describe('intervals contain the true value in at least nine of ten runs', () => {
  it.each(KNOWN_AGENTS)('$name', agent => {
    const { pass_rate, score } = coverageOf(agent, PAIRS, SEED)
    expect(Math.min(pass_rate, score)).toBeGreaterThanOrEqual(1 - withNoise(0.1, PAIRS))
  })
})
