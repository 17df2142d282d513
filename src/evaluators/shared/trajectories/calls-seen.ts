import { truncate } from '../../../lib/text/quote.ts'
import type { ToolCall } from '../../../model/answer.ts'

/** Most calls that a message names, and the longest input of each. */
const MOST_NAMED = 5
const LONGEST_INPUT = 100

/** Lists calls for a message: `its calls were: Bash {"command":"ls"}, Read {"file_path":"a"} (failed: no such file)`. */
export function describeCalls(calls: readonly ToolCall[]): string {
  if (calls.length === 0) return 'it called no tool'
  const named = calls.slice(0, MOST_NAMED).map(describeOne)
  const more = calls.length - named.length
  return `its calls were: ${[...named, ...(more > 0 ? [`… ${more} more`] : [])].join(', ')}`
}

function describeOne({ tool, input, error }: ToolCall): string {
  const args = input === undefined ? '' : ` ${truncate(JSON.stringify(input), LONGEST_INPUT)}`
  return `${tool}${args}${error === undefined ? '' : ` (failed: ${truncate(error, LONGEST_INPUT)})`}`
}
