import { inOrderMatch } from '../../../lib/assignment.ts'
import { formatDifferences, type JsonDifference, jsonDifferences } from '../../../lib/json/differences.ts'
import { formatJson } from '../../../lib/json/stringify.ts'
import { plural } from '../../../lib/text/format.ts'
import type { ToolCall } from '../../../model/answer.ts'
import { type AttributedCall, isOwn, subagentName } from '../../../model/messages/subagents.ts'
import type { ExpectedCall } from './expected-call.ts'

/** Maximum length of arguments that are reported whole. */
const SHORT = 100

/** `search was called with {"query": "rain"}`, by a subagent if one made the call. */
export function describeCall(call: Pick<AttributedCall, 'tool' | 'input' | 'agent_id'>): string {
  const { tool, input } = call
  const called = `${tool} was called${isOwn(call) ? '' : ` by ${subagentName(call)}`}`
  return hasArgs(input) ? `${called} with ${formatJson(input)}` : called
}

/** Describes how the unmatched calls (`free`, out of `all`) differ from an expected one. */
export function describeMissedCall(entry: ExpectedCall, free: readonly ToolCall[], all: readonly ToolCall[]): string {
  const { tool, args } = entry
  const [own, made] = [free, all].map(calls => calls.filter(call => call.tool === tool)) as [ToolCall[], ToolCall[]]
  const wanted = hasArgs(args) ? formatJson(args) : undefined
  if (made.length === 0)
    return wanted === undefined ? `${tool} was not called` : `${tool} was not called, expected with ${wanted}`
  const more = wanted === undefined ? 'one more call' : `one more call with ${wanted}`
  const closest = closestTo(entry, own)
  if (!closest) return `${tool} was called ${plural(made.length, 'time')}, expected ${more}`
  const difference = differenceOf(entry, closest.call, closest.differences)
  if (own.length === 1) return `${tool} was called with ${difference}`
  return `${tool} was called ${plural(own.length, 'more time')}, never with ${wanted}; closest: ${difference}`
}

/** Both arguments if they are short, else their differences. */
function differenceOf({ args }: ExpectedCall, { input }: ToolCall, differences: readonly JsonDifference[]): string {
  const [found, wanted] = [hasArgs(input) ? formatJson(input) : 'no arguments', formatJson(args)]
  const isShort = found.length <= SHORT && wanted.length <= SHORT
  return isShort ? `${found}, expected ${wanted}` : `other arguments than expected: ${formatDifferences(differences)}`
}

/** Maximum number of compared calls. */
const MOST_COMPARED_CALLS = 100

function closestTo({ args, args_match: how }: ExpectedCall, calls: readonly ToolCall[]) {
  const compared = calls.slice(0, MOST_COMPARED_CALLS).map(call => {
    const all = jsonDifferences(call.input ?? {}, args)
    const differences = all.filter(({ found, expected }) => (how === 'subset' ? found : how === 'exact' || expected))
    return { call, differences }
  })
  return compared.reduce<(typeof compared)[number] | undefined>(
    (best, each) => (best && best.differences.length <= each.differences.length ? best : each),
    undefined,
  )
}

function hasArgs(args: unknown): boolean {
  return args !== undefined && args !== 'any'
}

/** Maximum number of reported positions, and of compared items. */
const MOST_REPORTED = 12
const MOST_COMPARED = 500

/** Aligns two sequences: `expected: search, read, –; called: search, –, write`. Calls of subagents are marked. */
export function describeAlignment(allExpected: readonly string[], allCalls: readonly AttributedCall[]): string {
  const [expected, calls] = [allExpected.slice(0, MOST_COMPARED), allCalls.slice(0, MOST_COMPARED)]
  const called = calls.map(call => (isOwn(call) ? call.tool : `${call.tool} (${subagentName(call)})`))
  const matched = inOrderMatch(expected.length, called.length, (row, column) =>
    Number(expected[row] === calls[column]?.tool),
  )
  const pairs: [string, string][] = []
  let next = 0
  for (const [row, name] of expected.entries()) {
    const column = matched[row]
    if (column !== undefined) while (next < column) pairs.push(['–', called[next++] ?? ''])
    pairs.push([name, column === undefined ? '–' : (called[next++] ?? '')])
  }
  while (next < called.length) pairs.push(['–', called[next++] ?? ''])
  const reported = pairs.slice(0, MOST_REPORTED)
  const beyond = Math.max(allExpected.length - expected.length, allCalls.length - calls.length)
  const more = pairs.length - reported.length + beyond
  const rest = more > 0 ? `, … ${more} more` : ''
  const side = (index: 0 | 1) => (reported.map(pair => pair[index]).join(', ') || 'nothing') + rest
  return `expected: ${side(0)}; called: ${side(1)}`
}
