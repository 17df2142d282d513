import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'
import type { OutputMessage } from './answer.ts'
import { callsIn, isOwn } from './messages/subagents.ts'

export const traceSummarySchema = lazily(() =>
  z
    .strictObject({
      event_count: z.int().describe('Number of tool calls.'),
      tool_names: z.array(z.string()).describe('Names of the tools, each once, in order of the first call.'),
      tool_calls_by_name: z.record(z.string(), z.int()).describe('Number of calls by tool.'),
      error_count: z.int().describe('Number of failed tool calls.'),
      llm_call_count: z.int().describe('Number of assistant messages.'),
      subagent_event_count: z
        .int()
        .optional()
        .describe('How many of the tool calls are of subagents; absent without subagents.'),
      subagent_llm_call_count: z
        .int()
        .optional()
        .describe('How many of the assistant messages are of subagents; absent without subagents.'),
    })
    .describe('Counts of the transcript.'),
)

type TraceSummary = z.output<ReturnType<typeof traceSummarySchema>>

/** Counts the calls and messages of a transcript. */
export function traceSummary(messages: readonly OutputMessage[]): TraceSummary {
  const calls = callsIn(messages)
  const replies = messages.filter(({ role }) => role === 'assistant')
  const byName = new Map<string, number>()
  for (const { tool } of calls) byName.set(tool, (byName.get(tool) ?? 0) + 1)
  return {
    event_count: calls.length,
    tool_names: [...byName.keys()],
    tool_calls_by_name: Object.fromEntries(byName),
    error_count: calls.filter(({ error }) => error !== undefined).length,
    llm_call_count: replies.length,
    ...(messages.every(isOwn)
      ? {}
      : {
          subagent_event_count: calls.filter(call => !isOwn(call)).length,
          subagent_llm_call_count: replies.filter(message => !isOwn(message)).length,
        }),
  }
}
