import { describe, expect, it } from 'vitest'
import { swapProbe } from '../../../src/lib/statistics/swap-probe.ts'
import { NOT_COUNTS } from './invalid-numbers.ts'
import { SWAP_PROBES } from './vectors/swap-probe.ts'

describe('the swap probe', () => {
  it.each(SWAP_PROBES)('$first_place_wins_both against $second_place_wins_both, $consistent consistent', vector => {
    const { position_p, consistency, interval, ...pairs } = vector
    const probe = swapProbe(pairs)
    expect(probe?.position_p).toBeCloseTo(position_p, 11)
    expect(probe?.consistency).toBeCloseTo(consistency, 11)
    expect(probe?.interval.low).toBeCloseTo(interval[0], 9)
    expect(probe?.interval.high).toBeCloseTo(interval[1], 9)
  })

  it('has nothing to say without pairs', () => {
    expect(swapProbe({ consistent: 0, first_place_wins_both: 0, second_place_wins_both: 0 })).toBeUndefined()
  })

  it('counts a tie in one order only as a disagreement that prefers no place', () => {
    const pairs = { consistent: 5, first_place_wins_both: 1, second_place_wins_both: 0 }
    const probe = swapProbe({ ...pairs, half_tied: 4 })
    expect(probe).toMatchObject({ consistency: 0.5, position_p: swapProbe(pairs)?.position_p })
  })

  it.each(NOT_COUNTS)('rejects %d as a number of pairs', count => {
    for (const key of ['consistent', 'first_place_wins_both', 'second_place_wins_both', 'half_tied'])
      expect(() =>
        swapProbe({ consistent: 1, first_place_wins_both: 1, second_place_wins_both: 1, [key]: count }),
      ).toThrow(RangeError)
  })
})
