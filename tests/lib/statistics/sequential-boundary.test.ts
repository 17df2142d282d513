import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SequentialBoundary } from '../../../src/lib/statistics/sequential-boundary.ts'
import { NOT_COUNTS, NOT_INSIDE, NOT_NUMBERS } from './invalid-numbers.ts'
import { RATE_BOUNDARIES } from './vectors/rate-boundaries.ts'
import { PAIR_BOUNDARIES } from './vectors/sequential-boundary.ts'

/** The bounds after each unit; `tosses` says which units are coins. */
function boundsOf(boundary: SequentialBoundary, tosses: readonly boolean[]): number[] {
  return tosses.map((isCoin, index) => {
    if (isCoin) boundary.toss()
    return boundary.look(index + 1)
  })
}

const coins = (count: number) => new Array<boolean>(count).fill(true)

describe('the boundary of coins', () => {
  it.each(RATE_BOUNDARIES)('spends what is published: $threshold, $most, $alpha, $rho', vector => {
    const { threshold, spent_above, spent_below, ...options } = vector
    for (const [probability, spent] of [[threshold, spent_above] as const, [1 - threshold, spent_below] as const]) {
      const boundary = new SequentialBoundary({ probability, ...options })
      boundsOf(boundary, coins(options.most))
      expect(boundary.spent).toBeCloseTo(spent, 11)
    }
  })

  it.each(PAIR_BOUNDARIES)('changes where it is published to: $discordant', ({ most, discordant, ...vector }) => {
    const boundary = new SequentialBoundary({ probability: 0.5, most })
    const tosses = Array.from(discordant, digit => digit === '1')
    const changes: (readonly [number, number])[] = []
    let tossed = 0
    for (const [index, bound] of boundsOf(boundary, tosses).entries()) {
      if (tosses[index]) tossed++
      if (bound <= tossed && bound !== changes.at(-1)?.[1]) changes.push([index + 1, bound])
    }
    expect(changes).toEqual(vector.boundary_changes)
    expect(boundary.spent).toBeCloseTo(vector.spent, 11)
  })

  it('is crossed by fair coins as often as it spends, by trying all', () => {
    const most = 14
    const boundary = new SequentialBoundary({ probability: 0.5, most, alpha: 0.1 })
    const bounds = boundsOf(boundary, coins(most))
    let crossed = 0
    for (let tosses = 0; tosses < 2 ** most; tosses++) {
      let successes = 0
      const crosses = bounds.some((bound, index) => {
        successes += (tosses >> index) & 1
        return successes >= bound
      })
      if (crosses) crossed++
    }
    expect(crossed / 2 ** most).toBeCloseTo(boundary.spent, 12)
    expect(boundary.spent).toBeLessThanOrEqual(0.1)
  })

  it('never spends more than alpha, and never more than its share', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.001, max: 0.4, noNaN: true }),
        fc.double({ min: 0.1, max: 5, noNaN: true }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }),
        (probability, alpha, rho, tosses) => {
          const most = tosses.length
          const boundary = new SequentialBoundary({ probability, most, alpha, rho })
          for (const [index, isCoin] of tosses.entries()) {
            if (isCoin) boundary.toss()
            expect(boundary.look(index + 1)).toBeGreaterThan(0)
            expect(boundary.spent).toBeLessThanOrEqual(alpha * ((index + 1) / most) ** rho + 1e-11)
          }
        },
      ),
    )
  })

  it('cannot be crossed by coins that always succeed, and by one success of coins that never do', () => {
    const [certain, impossible] = [1, 0].map(probability => new SequentialBoundary({ probability, most: 5 }))
    expect(boundsOf(certain!, coins(5))).toEqual([2, 3, 4, 5, 6])
    expect(boundsOf(impossible!, coins(5))).toEqual([1, 1, 1, 1, 1])
  })

  it('looks at no coins', () => {
    expect(new SequentialBoundary({ probability: 0.5, most: 0 }).look(0)).toBe(1)
    expect(new SequentialBoundary({ probability: 0, most: 3 }).look(3)).toBe(1)
  })

  it('copies its state', () => {
    const boundary = new SequentialBoundary({ probability: 0.5, most: 40 })
    boundsOf(boundary, coins(15))
    const copy = boundary.copy()
    copy.toss()
    const [ahead, spentAhead] = [copy.look(16), copy.spent]
    expect(boundary.spent).not.toBe(spentAhead)
    boundary.toss()
    expect([boundary.look(16), boundary.spent]).toEqual([ahead, spentAhead])
  })
})

describe('invalid arguments', () => {
  it('more coins than units', () => {
    const boundary = new SequentialBoundary({ probability: 0.5, most: 1 })
    boundary.toss()
    expect(() => boundary.toss()).toThrow(new RangeError('At most 1 coins can be tossed.'))
  })

  it.each([...NOT_NUMBERS, -0.1, 1.1])('a probability of %d', probability => {
    expect(() => new SequentialBoundary({ probability, most: 9 })).toThrow(RangeError)
  })

  it.each(NOT_COUNTS)('%d units', most => {
    expect(() => new SequentialBoundary({ probability: 0.5, most })).toThrow(RangeError)
  })

  it.each([...NOT_INSIDE, 0.5])('an error probability of %d', alpha => {
    expect(() => new SequentialBoundary({ probability: 0.5, most: 9, alpha })).toThrow(RangeError)
  })

  it.each([...NOT_NUMBERS, -1, 0])('an exponent of %d', rho => {
    expect(() => new SequentialBoundary({ probability: 0.5, most: 9, rho })).toThrow(RangeError)
  })

  it.each(NOT_NUMBERS)('a look at %d', t => {
    expect(() => new SequentialBoundary({ probability: 0.5, most: 9 }).look(t)).toThrow(RangeError)
  })
})
