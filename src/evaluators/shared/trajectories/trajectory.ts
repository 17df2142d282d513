import { bestAssignment, inOrderMatch } from '../../../lib/assignment.ts'
import { plural } from '../../../lib/text/format.ts'
import type { ToolCall } from '../../../model/answer.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { Fact } from '../fact.ts'
import { milliseconds } from '../limits.ts'
import { argsMatch, type ExpectedCall } from './expected-call.ts'
import { describeCall, describeMissedCall } from './missed-call.ts'

/** The result of comparing calls. `isVoid`: the score is 0. */
export interface Comparison {
  readonly facts: readonly Fact[]
  readonly isVoid: boolean
}

export type Compare = (expected: readonly ExpectedCall[], calls: readonly ToolCall[]) => Comparison

/** The ways to compare calls with the expected ones. */
export const trajectories = {
  any_order: inAnyOrder,
  in_order: (expected, calls) => {
    // One more call counts more than all durations together.
    const long = 2 * expected.length
    const worth = worthOf(expected, calls)
    const matched = inOrderMatch(expected.length, calls.length, (row, column) => {
      const own = worth(row, column)
      return own === 0 ? 0 : long + own
    })
    const present = presentCalls(expected, calls, matched)
    const isMixedUp = !matched.every(isThere) && present.every(isThere)
    const order = isMixedUp ? [{ kept: false, text: 'all expected tools were called, but not in this order' }] : []
    return { facts: [...entries(expected, calls, matched, present), ...order], isVoid: isMixedUp }
  },
  exact: (expected, calls) => {
    const matched = expected.map((call, index) => (matches(call, calls[index]) ? index : undefined))
    const facts = entries(expected, calls, matched, presentCalls(expected, calls, matched))
    const extra = alsoCalled(calls.slice(expected.length))
    return { facts: [...facts, ...extra], isVoid: extra.length > 0 || facts.some(({ kept }) => !kept) }
  },
  superset: inAnyOrder,
  subset: (expected, calls) => {
    const made = calls.map(call => {
      const kept = expected.some(entry => matches(entry, call))
      return { kept, text: kept ? describeCall(call) : unexpected(call) }
    })
    return { facts: [...made, ...expected.flatMap(entry => ownDuration(entry, expected, calls))], isVoid: false }
  },
} satisfies Record<string, Compare>

function inAnyOrder(expected: readonly ExpectedCall[], calls: readonly ToolCall[]): Comparison {
  const matched = bestAssignment(expected.length, calls.length, worthOf(expected, calls))
  return { facts: entries(expected, calls, matched), isVoid: false }
}

function matches(entry: ExpectedCall, call: ToolCall | undefined): boolean {
  return call?.tool === entry.tool && argsMatch(call.input, entry.args, entry.args_match)
}

/**
 * How many entries a call satisfies: itself, and its duration if that is limited. A call with an unknown duration is
 * preferred to a slow one, because it may be the better match; grading then fails.
 */
function worthOf(expected: readonly ExpectedCall[], calls: readonly ToolCall[]) {
  const worths = expected.map(entry =>
    calls.map(call => {
      if (!matches(entry, call)) return 0
      if (entry.max_duration_ms === undefined) return 1
      if (call.duration_ms === undefined) return 1.5
      return call.duration_ms <= entry.max_duration_ms ? 2 : 1
    }),
  )
  return (row: number, column: number) => worths[row]?.[column] ?? 0
}

/** Matches expected calls regardless of order and duration. */
function presentCalls(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  matched: readonly (number | undefined)[],
): readonly (number | undefined)[] {
  if (matched.every(isThere)) return matched
  const worths = expected.map(entry => calls.map(call => Number(matches(entry, call))))
  return bestAssignment(expected.length, calls.length, (row, column) => worths[row]?.[column] ?? 0)
}

/** The expected calls as facts. `present`: matches in any order, for the message of a misplaced call. */
function entries(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  matched: readonly (number | undefined)[],
  present: readonly (number | undefined)[] = matched,
): Fact[] {
  const free = () => {
    const taken = new Set([...matched, ...present])
    return calls.filter((_, index) => !taken.has(index))
  }
  return expected.flatMap((entry, index) => {
    const call = calls[matched[index] ?? -1]
    const called = describeCall({ tool: entry.tool, input: entry.args })
    const missed = () =>
      isThere(present[index]) ? `${called}, but not in its place` : describeMissedCall(entry, free(), calls)
    return [{ kept: call !== undefined, text: call ? called : missed() }, ...durationOf(entry, call ? [call] : [])]
  })
}

/** Maximum number of unexpected calls that are reported. */
const MOST_NAMED = 20

function alsoCalled(calls: readonly ToolCall[]): Fact[] {
  const named = calls.slice(0, MOST_NAMED).map(call => ({ kept: false, text: unexpected(call) }))
  const more = calls.length - named.length
  return more > 0
    ? [...named, { kept: false, text: `${plural(more, 'more call')} ${more === 1 ? 'was' : 'were'} not expected` }]
    : named
}

function unexpected(call: ToolCall): string {
  return `${describeCall(call)}, which is not expected`
}

/** Whether the calls that only this entry allows are within its duration. */
function ownDuration(entry: ExpectedCall, expected: readonly ExpectedCall[], calls: readonly ToolCall[]): Fact[] {
  const own = calls.filter(call => matches(entry, call))
  const others = expected.filter(other => other !== entry)
  const isExcused = (call: ToolCall) =>
    others.some(other => matches(other, call) && isWithin(call.duration_ms, other.max_duration_ms))
  const counted = own.filter(call => isWithin(call.duration_ms, entry.max_duration_ms) || !isExcused(call))
  return counted.length === 0 ? [] : durationOf(entry, counted)
}

function isWithin(duration: number | undefined, limit: number | undefined): boolean {
  return limit === undefined || (duration !== undefined && duration <= limit)
}

/** Whether calls are within the duration of an entry, if it has one. */
function durationOf({ tool, max_duration_ms: limit }: ExpectedCall, calls: readonly ToolCall[]): Fact[] {
  if (limit === undefined) return []
  const longest = calls.reduce((most, { duration_ms }) => {
    if (duration_ms === undefined) throw new Unjudged('not-reported', `the target reported no duration of ${tool}`)
    return Math.max(most, duration_ms)
  }, 0)
  if (calls.length === 0) return [{ kept: false, text: `no call of ${tool} within ${milliseconds(limit)}` }]
  const kept = longest <= limit
  return [{ kept, text: `${tool} took ${milliseconds(longest)}, ${kept ? 'within' : 'above'} ${milliseconds(limit)}` }]
}

function isThere(column: number | undefined): boolean {
  return column !== undefined
}
