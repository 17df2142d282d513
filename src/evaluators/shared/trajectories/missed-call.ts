import { differencesText, type JsonDifference, jsonDifferences } from '../../../lib/json-differences.ts'
import { jsonText } from '../../../lib/json-text.ts'
import { plural } from '../../../lib/plural.ts'
import type { ToolCall } from '../../../model/answer.ts'
import type { ExpectedCall } from './expected-call.ts'

/** Arguments up to this length are shown whole. */
const SHORT = 100

/** `search was called with {"query": "rain"}`. */
export function wasCalled({ tool, input }: Pick<ToolCall, 'tool' | 'input'>): string {
  return hasArgs(input) ? `${tool} was called with ${jsonText(input)}` : `${tool} was called`
}

/** How the calls that no other entry has taken differ from one that was expected: `free`, out of `all`. */
export function missedCall(entry: ExpectedCall, free: readonly ToolCall[], all: readonly ToolCall[]): string {
  const { tool, args } = entry
  const [own, made] = [free, all].map(calls => calls.filter(call => call.tool === tool)) as [ToolCall[], ToolCall[]]
  const wanted = hasArgs(args) ? jsonText(args) : undefined
  if (made.length === 0)
    return wanted === undefined ? `${tool} was not called` : `${tool} was not called, expected with ${wanted}`
  const more = wanted === undefined ? 'one more call' : `one more call with ${wanted}`
  const closest = closestTo(entry, own)
  if (!closest) return `${tool} was called ${plural(made.length, 'time')}, expected ${more}`
  const difference = differenceOf(entry, closest.call, closest.differences)
  if (own.length === 1) return `${tool} was called with ${difference}`
  return `${tool} was called ${plural(own.length, 'more time')}, never with ${wanted}; closest: ${difference}`
}

/** Both sides where they are short, else the places in which they differ. */
function differenceOf({ args }: ExpectedCall, { input }: ToolCall, differences: readonly JsonDifference[]): string {
  const [found, wanted] = [hasArgs(input) ? jsonText(input) : 'no arguments', jsonText(args)]
  const isShort = found.length <= SHORT && wanted.length <= SHORT
  return isShort ? `${found}, expected ${wanted}` : `other arguments than expected: ${differencesText(differences)}`
}

/** How many calls are compared, so that thousands of them stay cheap. */
const MOST_COMPARED = 100

function closestTo({ args, args_match: how }: ExpectedCall, calls: readonly ToolCall[]) {
  const compared = calls.slice(0, MOST_COMPARED).map(call => {
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
