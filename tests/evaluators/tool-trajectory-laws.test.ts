import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ToolCall } from '../../src/model/answer.ts'
import type { Check } from '../../src/model/check.ts'
import type { Subject } from '../../src/model/evaluator.ts'
import type { Grade } from '../../src/model/grade.ts'
import { loadCheck } from '../support/checks.ts'
import { examples } from '../support/random-examples.ts'
import { answerWith } from './trajectories.ts'

interface Entry {
  readonly tool: string
  readonly args?: { readonly k: number }
  readonly max_duration_ms?: number
}

let check: Check

beforeAll(async () => {
  check = await loadCheck('{type: tool_trajectory, expected: [{tool: a}]}')
})

function scoreOf(mode: string, expected: readonly Entry[], calls: readonly ToolCall[], more: object = {}): number {
  const subject = { answer: answerWith(calls) } as Subject
  const grade = check.evaluator.grade?.({ mode, expected, ...more }, subject, {} as never)
  return (grade as Grade).score
}

/** Every assignment of entries to distinct calls or none. */
function assignments(expected: readonly Entry[], calls: readonly ToolCall[]): (number | undefined)[][] {
  const [entry, ...rest] = expected
  if (!entry) return [[]]
  const fitting = calls.flatMap((call, index) => (fits(entry, call) ? [index] : []))
  const without = (taken: number) => calls.map((call, index) => (index === taken ? { tool: '' } : call))
  return [
    ...assignments(rest, calls).map(others => [undefined, ...others]),
    ...fitting.flatMap(index => assignments(rest, without(index)).map(others => [index, ...others])),
  ]
}

function fits({ tool, args }: Entry, call: ToolCall): boolean {
  return tool === call.tool && (args === undefined || args.k === (call.input as { k: number }).k)
}

const matchedIn = (assigned: readonly (number | undefined)[]) => assigned.filter(index => index !== undefined).length

function isInOrder(assigned: readonly (number | undefined)[]): boolean {
  const taken = assigned.filter(index => index !== undefined)
  return taken.every((index, place) => place === 0 || (taken[place - 1] ?? -1) < index)
}

/** The number of durations within their limit. */
function keptIn(
  assigned: readonly (number | undefined)[],
  expected: readonly Entry[],
  calls: readonly ToolCall[],
): number {
  return expected.filter(({ max_duration_ms: limit }, place) => {
    const took = calls[assigned[place] ?? -1]?.duration_ms
    return limit !== undefined && took !== undefined && took <= limit
  }).length
}

const limitsIn = (expected: readonly Entry[]) => expected.filter(entry => entry.max_duration_ms !== undefined).length

const tool = fc.constantFrom('a', 'b', 'c')
const k = fc.constantFrom(1, 2)
const plainEntry = fc.oneof(fc.record({ tool }), fc.record({ tool, args: fc.record({ k }) }))
const plainEntries = fc.array(plainEntry, { minLength: 1, maxLength: 5 })
const timedEntry = fc.tuple(plainEntry, fc.constantFrom({}, { max_duration_ms: 10 }, { max_duration_ms: 60 }))
const timedEntries = fc.array(
  timedEntry.map(([entry, limit]): Entry => ({ ...entry, ...limit })),
  { minLength: 1, maxLength: 4 },
)
const someCalls = fc.array(fc.record({ tool, input: fc.record({ k }), duration_ms: fc.constantFrom(5, 50, 500) }), {
  maxLength: 5,
})

describe('compared with every possible assignment', () => {
  it('any_order and superset find the best assignment', () => {
    fc.assert(
      fc.property(plainEntries, someCalls, (expected, calls) => {
        const most = Math.max(...assignments(expected, calls).map(matchedIn))
        expect(scoreOf('any_order', expected, calls)).toBeCloseTo(most / expected.length, 12)
        expect(scoreOf('superset', expected, calls)).toBeCloseTo(most / expected.length, 12)
      }),
      { numRuns: examples(500) },
    )
  })

  it('any_order finds the best assignment with durations', () => {
    fc.assert(
      fc.property(timedEntries, someCalls, (expected, calls) => {
        const most = Math.max(
          ...assignments(expected, calls).map(assigned => matchedIn(assigned) + keptIn(assigned, expected, calls)),
        )
        const entries = expected.length + limitsIn(expected)
        expect(scoreOf('any_order', expected, calls)).toBeCloseTo(most / entries, 12)
      }),
      { numRuns: examples(500) },
    )
  })

  it('in_order finds the longest match in order; 0 if all calls are in another order', () => {
    fc.assert(
      fc.property(plainEntries, someCalls, (expected, calls) => {
        const all = assignments(expected, calls)
        const present = Math.max(...all.map(matchedIn)) === expected.length
        const longest = Math.max(...all.filter(isInOrder).map(matchedIn))
        const isWrongOrder = present && longest < expected.length
        expect(scoreOf('in_order', expected, calls)).toBeCloseTo(isWrongOrder ? 0 : longest / expected.length, 12)
      }),
      { numRuns: examples(500) },
    )
  })

  it('in_order finds the longest match in order, then the most durations', () => {
    fc.assert(
      fc.property(timedEntries, someCalls, (expected, calls) => {
        const whole = assignments(expected, calls).filter(assigned => matchedIn(assigned) === expected.length)
        fc.pre(whole.length > 0)
        const kept = whole.filter(isInOrder).map(assigned => keptIn(assigned, expected, calls))
        const entries = expected.length + limitsIn(expected)
        const score = kept.length === 0 ? 0 : (expected.length + Math.max(...kept)) / entries
        expect(scoreOf('in_order', expected, calls)).toBeCloseTo(score, 12)
      }),
      { numRuns: examples(500) },
    )
  })
})

describe('for any calls', () => {
  const modes = ['any_order', 'in_order', 'exact', 'superset', 'subset']

  it.each(modes)('%s gives 1 for the calls that it expects', mode => {
    fc.assert(
      fc.property(someCalls, calls => {
        const expected = calls.map(call => ({ tool: call.tool, args: call.input, max_duration_ms: call.duration_ms }))
        expect(scoreOf(mode, expected, calls)).toBe(1)
      }),
    )
  })

  it('the order of the calls matters to in_order and exact only', () => {
    fc.assert(
      fc.property(timedEntries, someCalls, fc.nat(4), (expected, calls, by) => {
        const turned = [...calls.slice(by), ...calls.slice(0, by)].toReversed()
        for (const mode of ['any_order', 'superset', 'subset']) {
          expect(scoreOf(mode, expected, turned)).toBeCloseTo(scoreOf(mode, expected, calls), 12)
        }
      }),
    )
  })

  it('a stricter mode never gives more: exact, in_order, any_order', () => {
    fc.assert(
      fc.property(timedEntries, someCalls, (expected, calls) => {
        const [any = 0, ordered = 0, exact = 0] = modes.map(mode => scoreOf(mode, expected, calls))
        expect(exact).toBeLessThanOrEqual(ordered)
        expect(ordered).toBeLessThanOrEqual(any + 1e-12)
      }),
    )
  })

  it('a forbidden call, or one too many, scores 0 in every mode', () => {
    fc.assert(
      fc.property(timedEntries, someCalls, tool, (expected, calls, name) => {
        const count = calls.filter(call => call.tool === name).length
        fc.pre(count > 0)
        for (const mode of modes) {
          expect(scoreOf(mode, expected, calls, { forbidden: [name] })).toBe(0)
          expect(scoreOf(mode, expected, calls, { maximums: { [name]: count - 1 } })).toBe(0)
          expect(scoreOf(mode, expected, calls, { maximums: { [name]: count } })).toBe(scoreOf(mode, expected, calls))
        }
      }),
    )
  })
})

describe('thousands of calls', () => {
  const many: ToolCall[] = Array.from({ length: 3000 }, (_, index) => ({
    tool: `t${index % 7}`,
    input: { k: index },
    duration_ms: index % 100,
  }))
  const few: Entry[] = Array.from({ length: 100 }, (_, index) => ({
    tool: `t${(index * 30) % 7}`,
    args: { k: index * 30 },
    max_duration_ms: 100,
  }))
  /** The CPU time in milliseconds, which is independent of other programs. */
  const cost = (work: () => unknown) => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }

  it.each<[mode: string, what: string, expected: Entry[], score: number]>([
    ['any_order', 'a hundred existing calls', few, 1],
    ['superset', 'a hundred existing calls', few, 1],
    ['in_order', 'a hundred existing calls', few, 1],
    ['in_order', 'a hundred the other way round', few.toReversed(), 0],
    ['any_order', 'a hundred that all want the same call', few.map(() => few[3] as Entry), 1 / 100],
    ['subset', 'a hundred existing calls', few, 200 / 3100],
    ['exact', 'all of them', many.map(({ tool }) => ({ tool })), 1],
    ['exact', 'all but the last', many.slice(1).map(({ tool }) => ({ tool })), 0],
  ])('%s on %s takes quadratic time at most', (mode, _, expected, score) => {
    expect(scoreOf(mode, expected, many)).toBeCloseTo(score, 12)
    const half = <Item>(list: readonly Item[]) => list.slice(0, list.length / 2)
    const small = cost(() => scoreOf(mode, half(expected), half(many)))
    const large = cost(() => scoreOf(mode, expected, many))
    // Quadratic time grows fourfold; small values are noise.
    expect(large / Math.max(small, 50)).toBeLessThan(10)
  })
})
