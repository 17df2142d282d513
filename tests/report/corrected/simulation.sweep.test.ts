import { describe, expect, it } from 'vitest'
import { OTHER_LABELS, OWN_LABELS } from '../../../bench/judge-worlds.ts'
import { judgeCoverage } from '../../../bench/simulated-judges.ts'
import { withNoise } from '../../../bench/simulated-runs.ts'

const WORLDS = 60
const SEED = 3

describe('corrected pass rates of simulated runs', () => {
  it.each([...OWN_LABELS, ...OTHER_LABELS])('$name: the interval contains the truth in 93 %', world => {
    const { corrected } = judgeCoverage(world, WORLDS, SEED)
    expect(corrected.covered).toBeGreaterThanOrEqual(1 - withNoise(0.07, WORLDS))
    expect(corrected.none).toBeLessThan(0.1)
  })

  it('the interval of the judge alone hardly ever does', () => {
    const [world = expect.unreachable()] = OWN_LABELS
    expect(judgeCoverage(world, WORLDS, SEED).raw.covered).toBeLessThan(0.05)
  })
})
