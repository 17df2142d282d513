import { bestAssignment } from '../../lib/best-assignment.ts'
import { inOrderMatch } from '../../lib/in-order-match.ts'
import type { ToolCall } from '../../model/answer.ts'
import { Unjudged } from '../../model/grade.ts'
import { type ArgsMatch, argsMatch } from './args-match.ts'
import { callText } from './call-text.ts'
import type { Fact } from './fact.ts'

export interface ExpectedCall {
  readonly tool: string
  readonly args?: 'any' | Readonly<Record<string, unknown>> | undefined
  readonly args_match?: ArgsMatch | undefined
  readonly max_duration_ms?: number | undefined
}

/** What a way to compare calls finds: entries that are satisfied or not. `isVoid`: the score is 0, whatever else holds. */
export interface Compared {
  readonly facts: readonly Fact[]
  readonly isVoid: boolean
}

export type Compare = (expected: readonly ExpectedCall[], calls: readonly ToolCall[]) => Compared

/** The ways to compare the calls that were made with those expected. */
export const trajectories = {
  any_order: (expected, calls) => ({ facts: entries(expected, calls, assigned(expected, calls)), isVoid: false }),
  in_order: (expected, calls) => {
    const matched = inOrderMatch(expected.length, calls.length, worthOf(expected, calls))
    const isWhole = matched.every(isThere)
    const isPresent = isWhole || assigned(expected, calls).every(isThere)
    const order = { kept: false, text: 'called them all, but not in this order' }
    return {
      facts: [...entries(expected, calls, matched), ...(isPresent && !isWhole ? [order] : [])],
      isVoid: isPresent && !isWhole,
    }
  },
  exact: (expected, calls) => {
    const same = (call: ExpectedCall, index: number) => matches(call, calls[index])
    const facts = entries(
      expected,
      calls,
      expected.map((call, index) => (same(call, index) ? index : undefined)),
    )
    const extra = calls.slice(expected.length).map(call => ({ kept: false, text: `also called ${callText(call)}` }))
    return { facts: [...facts, ...extra], isVoid: extra.length > 0 || facts.some(({ kept }) => !kept) }
  },
  superset: (expected, calls) => ({ facts: entries(expected, calls, assigned(expected, calls)), isVoid: false }),
  subset: (expected, calls) => {
    const made = calls.map(call => {
      const kept = expected.some(entry => matches(entry, call))
      return { kept, text: kept ? `called ${callText(call)}` : `also called ${callText(call)}` }
    })
    const durations = expected.flatMap(entry => {
      const own = calls.filter(call => matches(entry, call))
      return own.length === 0 ? [] : durationOf(entry, own)
    })
    return { facts: [...made, ...durations], isVoid: false }
  },
} satisfies Record<string, Compare>

function matches(entry: ExpectedCall, call: ToolCall | undefined): boolean {
  return call?.tool === entry.tool && argsMatch(call.input, entry.args, entry.args_match)
}

/** How many entries a call satisfies as an expected one: itself, and its time where that is limited. */
function worthOf(expected: readonly ExpectedCall[], calls: readonly ToolCall[]) {
  const worths = expected.map(entry =>
    calls.map(call => {
      if (!matches(entry, call)) return 0
      const limit = entry.max_duration_ms
      return limit !== undefined && (call.duration_ms ?? Number.POSITIVE_INFINITY) <= limit ? 2 : 1
    }),
  )
  return (row: number, column: number) => worths[row]?.[column] ?? 0
}

/** For each expected call one of its own, so that most entries are satisfied. */
function assigned(expected: readonly ExpectedCall[], calls: readonly ToolCall[]): (number | undefined)[] {
  return bestAssignment(expected.length, calls.length, worthOf(expected, calls))
}

function entries(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  matched: readonly (number | undefined)[],
): Fact[] {
  return expected.flatMap((entry, index) => {
    const call = calls[matched[index] ?? -1]
    const said = callText({ tool: entry.tool, input: entry.args })
    const fact = { kept: call !== undefined, text: call ? `called ${said}` : `did not call ${said}` }
    return [fact, ...durationOf(entry, call ? [call] : [])]
  })
}

/** Whether calls kept to the time of an entry, where it has one. */
function durationOf({ tool, max_duration_ms: limit }: ExpectedCall, calls: readonly ToolCall[]): Fact[] {
  if (limit === undefined) return []
  const longest = calls.reduce((most, { duration_ms }) => {
    if (duration_ms === undefined) throw new Unjudged('not-reported', `the target reported no duration of ${tool}`)
    return Math.max(most, duration_ms)
  }, 0)
  if (calls.length === 0) return [{ kept: false, text: `no call of ${tool} within ${limit} ms` }]
  const kept = longest <= limit
  return [{ kept, text: `${tool} took ${longest} ms, ${kept ? 'within' : 'above'} ${limit} ms` }]
}

function isThere(column: number | undefined): boolean {
  return column !== undefined
}
