import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../../src/lib/seeded-random.ts'
import { DiscordantPairs } from '../../../src/lib/statistics/discordant-pairs.ts'
import { PairDifferences } from '../../../src/lib/statistics/pair-differences.ts'
import { type PairsOptions, SequentialPairs } from '../../../src/lib/statistics/sequential-pairs.ts'
import { NOT_COUNTS } from './invalid-numbers.ts'
import { PAIR_DECISIONS } from './vectors/sequential-pairs.ts'

type Outcome = readonly [candidate: boolean, control: boolean]

/** Runs pairs one after another; returns the tests in the order they were chosen. */
function runAll(pairs: SequentialPairs, outcomeOf: (position: number, test: number) => Outcome): number[] {
  const tests: number[] = []
  for (let next = pairs.next(); typeof next === 'object'; next = pairs.next()) {
    pairs.record(next.position, ...outcomeOf(next.position, next.test))
    tests.push(next.test)
  }
  return tests
}

/** Runs as many pairs at once as are handed out, of which a random one finishes next. */
function runMixed(pairs: SequentialPairs, outcomeOf: (position: number) => Outcome, seed: number): number[] {
  const random = seededRandom(seed)
  const tests: number[] = []
  const open: number[] = []
  for (;;) {
    const next = pairs.next()
    if (typeof next === 'object') {
      open.push(next.position)
      tests.push(next.test)
      if (random() < 0.7) continue
    }
    if (open.length === 0) return tests
    const [position = 0] = open.splice(Math.floor(random() * open.length), 1)
    pairs.record(position, ...outcomeOf(position))
  }
}

function resultOf({ decision, decided_after, improved, worsened, estimate, interval, is_mixed }: SequentialPairs) {
  return { decision, decided_after, improved, worsened, estimate, interval, is_mixed }
}

const runs = fc
  .record({
    tests: fc.integer({ min: 1, max: 12 }),
    rounds: fc.integer({ min: 1, max: 5 }),
    lag: fc.integer({ min: 1, max: 8 }),
    seed: fc.nat(),
    candidate: fc.constantFrom(0.1, 0.5, 0.9),
    control: fc.constantFrom(0.1, 0.5, 0.9),
  })
  .map(({ tests, rounds, lag, seed, candidate, control }) => {
    const random = seededRandom(seed)
    const outcomes = Array.from({ length: tests * rounds }, (): Outcome => [random() < candidate, random() < control])
    return { options: { tests, most: tests * rounds, lag, alpha: 0.1 }, outcomes, seed }
  })

describe('a candidate against a control', () => {
  it.each(PAIR_DECISIONS)('is decided as published: $decision after $after of $most on $tests', vector => {
    const planned = vector.pairs.split(' ').map(text => text.split(':'))
    const pairs = new SequentialPairs(vector)
    const counts = new DiscordantPairs(vector)
    const differences = new PairDifferences(vector.tests)
    for (const [test, [control, candidate] = ''] of planned) {
      const next = pairs.next()
      expect(next).toMatchObject({ test: Number(test) })
      if (typeof next === 'object') pairs.record(next.position, candidate === '1', control === '1')
      counts.add(candidate === '1', control === '1')
      differences.add(Number(test), Number(candidate) - Number(control))
    }
    const { decision, decided_after, improved, worsened } = pairs
    const { after } = vector
    expect({ decision, after: decided_after, improved, worsened }).toEqual({
      decision: vector.decision,
      after,
      improved: vector.improved,
      worsened: vector.worsened,
    })
    expect(counts.crossing.bound).toBe(vector.bound)
    expect(pairs.estimate).toBeCloseTo(vector.estimate, 9)
    expect(differences.estimate.standardError).toBeCloseTo(vector.standardError, 9)
    expect(pairs.interval.low).toBeCloseTo(vector.low, 9)
    expect(pairs.interval.high).toBeCloseTo(vector.high, 9)
    expect([pairs.is_mixed, pairs.next(), pairs.distance]).toEqual([false, 'done', undefined])
  })

  it('does not depend on the order in which pairs finish', () => {
    fc.assert(
      fc.property(runs, fc.nat(), ({ options, outcomes }, seed) => {
        const [one, other] = [new SequentialPairs(options), new SequentialPairs(options)]
        const tests = runAll(one, position => outcomes[position]!)
        const mixed = runMixed(other, position => outcomes[position]!, seed)
        // More pairs may have started before the decision.
        expect(mixed.slice(0, tests.length)).toEqual(tests)
        expect(resultOf(other)).toEqual(resultOf(one))
      }),
    )
  })

  it('chooses the same tests and decides the opposite where the sides change places', () => {
    const opposite = { better: 'worse', worse: 'better', 'not-shown': 'not-shown' } as const
    fc.assert(
      fc.property(runs, ({ options, outcomes }) => {
        const [one, other] = [new SequentialPairs(options), new SequentialPairs(options)]
        const tests = runAll(one, position => outcomes[position]!)
        const mirrored = runAll(other, position => outcomes[position]!.toReversed() as [boolean, boolean])
        expect(mirrored).toEqual(tests)
        expect(other.decision).toBe(one.decision && opposite[one.decision])
        expect(other.improved).toBe(one.worsened)
        expect(other.estimate + one.estimate).toBe(0)
        expect(other.interval.low + one.interval.high).toBeCloseTo(0, 12)
      }),
    )
  })

  it('has an interval that contains the estimate, and contains 0 unless a direction is shown', () => {
    fc.assert(
      fc.property(runs, ({ options, outcomes }) => {
        const pairs = new SequentialPairs(options)
        runAll(pairs, position => {
          const { interval, estimate } = pairs
          expect(interval.low <= 0 && 0 <= interval.high).toBe(true)
          expect(-1 <= interval.low && interval.low <= estimate && estimate <= interval.high).toBe(true)
          return outcomes[position]!
        })
        const { decision, interval, is_mixed } = pairs
        const containsZero = interval.low <= 0 && 0 <= interval.high
        expect(containsZero).toBe(decision === 'not-shown' || is_mixed)
      }),
    )
  })

  it('is decided after as many further pairs in the leading direction as the distance says', () => {
    fc.assert(
      fc.property(runs, fc.nat(20), ({ options, outcomes }, stop) => {
        const pairs = new SequentialPairs(options)
        let expected: number | undefined
        let isBetter = false
        runAll(pairs, position => {
          if (position < stop) return outcomes[position]!
          if (position === stop) {
            expected = pairs.distance
            isBetter = pairs.improved >= pairs.worsened
          }
          return [isBetter, !isBetter]
        })
        if (expected !== undefined) expect(pairs.decided_after).toBe(stop + expected)
        else if (pairs.pairs > stop) expect(pairs.decision).toBe('not-shown')
      }),
    )
  })
})

describe('the choice of the next test', () => {
  const at = (pairs: SequentialPairs) => pairs.next() as { position: number; test: number }

  it('takes every test once, then those that pass about half of the time, then those with few pairs', () => {
    const pairs = new SequentialPairs({ tests: 3, most: 9 })
    const tests = runAll(pairs, (_, test) => [test !== 0, test === 2])
    expect(tests.slice(0, 3)).toEqual([0, 1, 2])
    expect(tests[3]).toBe(1)
    expect(new Set(tests.slice(4, 6))).toEqual(new Set([0, 2]))
  })

  it('treats tests that always pass and tests that never pass alike, in their order', () => {
    const pairs = new SequentialPairs({ tests: 6, most: 12 })
    expect(runAll(pairs, (_, test) => [test % 2 > 0, test % 2 > 0])).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5])
  })

  it('waits for the outcomes that it depends on, and for no others', () => {
    const pairs = new SequentialPairs({ tests: 3, most: 9, lag: 2 })
    const first = [at(pairs), at(pairs), at(pairs)]
    expect(first).toEqual([0, 1, 2].map(test => ({ position: test, test })))
    expect(pairs.next()).toBe('wait')
    pairs.record(1, true, false)
    expect(pairs.next()).toBe('wait')
    pairs.record(0, true, true)
    expect(pairs.next()).toEqual({ position: 3, test: 1 })
    expect(pairs.next()).toBe('wait')
    expect(pairs.pairs).toBe(2)
  })

  it('does not see outcomes that are known too early', () => {
    const choose = (third: boolean) => {
      const pairs = new SequentialPairs({ tests: 3, most: 9, lag: 2 })
      for (const { position } of [at(pairs), at(pairs), at(pairs)])
        pairs.record(position, position === 2 && third, false)
      return at(pairs).test
    }
    expect(choose(true)).toBe(choose(false))
  })
})

describe('unusual numbers of tests and pairs', () => {
  it.each([
    [0, 10],
    [10, 0],
    [0, 0],
  ])('%d tests with %d pairs show nothing', (tests, most) => {
    const pairs = new SequentialPairs({ tests, most })
    expect(pairs.next()).toBe('done')
    expect(pairs).toMatchObject({ decision: 'not-shown', decided_after: 0, pairs: 0, estimate: 0 })
    expect(pairs).toMatchObject({ interval: { low: -1, high: 1 }, is_mixed: false, distance: undefined })
  })

  it('one test is asked again and again', () => {
    const pairs = new SequentialPairs({ tests: 1, most: 30 })
    const tests = runAll(pairs, () => [false, true])
    expect(new Set(tests)).toEqual(new Set([0]))
    expect(pairs).toMatchObject({ decision: 'worse', decided_after: tests.length, estimate: -1 })
    expect(tests.length).toBeLessThan(30)
  })

  it('fewer pairs than tests are looked at once, after the last', () => {
    const pairs = new SequentialPairs({ tests: 100, most: 20 })
    expect(runAll(pairs, () => [true, false])).toHaveLength(20)
    expect(pairs).toMatchObject({ decision: 'better', decided_after: 20, estimate: 1 })
  })

  it('a lag longer than the run hands out all pairs at once', () => {
    const pairs = new SequentialPairs({ tests: 2, most: 6, lag: 100 })
    const tests = Array.from({ length: 7 }, () => pairs.next()).map(next =>
      typeof next === 'object' ? next.test : next,
    )
    expect(tests).toEqual([0, 1, 0, 1, 0, 1, 'done'])
  })
})

describe('invalid arguments', () => {
  it('outcomes of pairs that were not handed out, and second outcomes', () => {
    const pairs = new SequentialPairs({ tests: 2, most: 4 })
    expect(() => pairs.record(0, true, true)).toThrow(new RangeError('No pair was handed out at position 0.'))
    pairs.next()
    pairs.record(0, true, true)
    expect(() => pairs.record(0, true, true)).toThrow(new RangeError('The pair at position 0 already has an outcome.'))
    for (const position of [-1, 0.5, Number.NaN]) expect(() => pairs.record(position, true, true)).toThrow(RangeError)
  })

  it.each(NOT_COUNTS)('%d tests, pairs or positions back', count => {
    const options: PairsOptions = { tests: 5, most: 25 }
    for (const key of ['tests', 'most', 'lag'] as const) {
      expect(() => new SequentialPairs({ ...options, [key]: count })).toThrow(RangeError)
    }
  })

  it('a lag of 0', () => {
    expect(() => new SequentialPairs({ tests: 5, most: 25, lag: 0 })).toThrow(
      new RangeError('The lag must be at least 1.'),
    )
  })
})

describe('pairs with errors', () => {
  /** Runs pairs in which the candidate fails: by an error in the given share of them. */
  function runWithErrors(isError: (position: number) => boolean): SequentialPairs {
    const pairs = new SequentialPairs({ tests: 10, most: 60 })
    for (let next = pairs.next(); typeof next === 'object'; next = pairs.next())
      pairs.record(next.position, false, true, isError(next.position))
    return pairs
  }

  it('decide nothing alone', () => {
    const pairs = runWithErrors(() => true)
    expect([pairs.decision, pairs.errors_decide, pairs.pairs]).toEqual(['not-shown', true, 60])
  })

  it('only delay a decision that the other pairs show as well', () => {
    const [clean, some] = [runWithErrors(() => false), runWithErrors(position => position % 3 === 0)]
    expect([clean.decision, clean.errors_decide]).toEqual(['worse', false])
    expect([some.decision, some.errors_decide]).toEqual(['worse', false])
    expect(some.pairs).toBeGreaterThan(clean.pairs)
  })

  it('decide nothing against the pairs without errors', () => {
    const pairs = new SequentialPairs({ tests: 10, most: 60 })
    for (let next = pairs.next(); typeof next === 'object'; next = pairs.next()) {
      const isError = next.position % 4 !== 0
      pairs.record(next.position, !isError, isError, isError)
    }
    expect([pairs.decision, pairs.errors_decide]).toEqual(['not-shown', true])
  })
})
