import type { OutputMessage } from './answer.ts'
import type { TraceSummary } from './result.ts'

/** A transcript in numbers. */
export function traceSummary(messages: readonly OutputMessage[]): TraceSummary {
  const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls)
  const byName = new Map<string, number>()
  for (const { tool } of calls) byName.set(tool, (byName.get(tool) ?? 0) + 1)
  return {
    event_count: calls.length,
    tool_names: [...byName.keys()],
    tool_calls_by_name: Object.fromEntries(byName),
    error_count: calls.filter(({ error }) => error !== undefined).length,
    llm_call_count: messages.filter(({ role }) => role === 'assistant').length,
  }
}
