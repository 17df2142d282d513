import { wellFormed } from '../../lib/text/unicode.ts'
import type { OutputMessage, ToolCall } from '../../model/answer.ts'
import { callId, subagentMessages } from './message-parts.ts'
import { attributesOf, errorStatus, KIND, nanoseconds, type OtlpSpan } from './otlp.ts'
import type { TraceIds } from './span-ids.ts'

interface CallOptions {
  readonly ids: TraceIds
  /** The span of the answer, and its time in milliseconds since 1970. */
  readonly answerId: string
  readonly start: number
  readonly end: number
  readonly content: boolean
}

interface PlacedCall {
  readonly call: ToolCall
  readonly agentId: string | undefined
  readonly number: number
  readonly start: number
  readonly end: number
}

/** The spans of tool calls; those of a subagent are in a span of their own. */
export function callSpans(messages: readonly OutputMessage[], options: CallOptions): readonly OtlpSpan[] {
  const placed = placeCalls(messages, options)
  const agents = [...new Set(messages.flatMap(({ agent_id }) => agent_id ?? []))]
  return [
    ...agents.map(agentId => subagentSpan(agentId, placed, messages, options)),
    ...placed.map(call => callSpan(call, options)),
  ]
}

/** How many spans `callSpans` makes. */
export function countCallSpans(messages: readonly OutputMessage[]): number {
  const agents = new Set(messages.flatMap(({ agent_id }) => agent_id ?? []))
  return agents.size + messages.reduce((sum, { tool_calls = [] }) => sum + tool_calls.length, 0)
}

/** Records have the order and the duration of calls, not their start: they are placed one after the other. */
function placeCalls(messages: readonly OutputMessage[], { start, end }: CallOptions): readonly PlacedCall[] {
  let [next, number] = [start, 0]
  return messages.flatMap(({ tool_calls = [], agent_id: agentId }) =>
    tool_calls.map(call => {
      const { duration_ms = 0 } = call
      // Calls that ran at the same time may take longer together than the answer.
      const begin = Math.max(start, Math.min(next, end - duration_ms))
      next = begin + duration_ms
      return { call, agentId, number: ++number, start: begin, end: next }
    }),
  )
}

function callSpan({ call, agentId, number, start, end }: PlacedCall, options: CallOptions): OtlpSpan {
  const { ids, answerId, content } = options
  const { tool, raw_tool, input, output, error } = call
  return {
    traceId: ids.traceId,
    spanId: ids.spanId(callId(number)),
    parentSpanId: agentId === undefined ? answerId : subagentId(agentId, ids),
    name: wellFormed(`execute_tool ${tool}`),
    kind: KIND.internal,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: attributesOf({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId(number),
      'gen_ai.tool.call.arguments': content ? json(input) : undefined,
      'gen_ai.tool.call.result': content ? json(output) : undefined,
      'error.type': error === undefined ? undefined : 'tool_error',
      'assay.tool.raw_name': raw_tool,
      'assay.estimated_start': true,
      'assay.unknown_duration': call.duration_ms === undefined ? true : undefined,
    }),
    ...(error === undefined ? {} : { status: errorStatus(content ? error : undefined) }),
  }
}

function subagentSpan(
  agentId: string,
  placed: readonly PlacedCall[],
  messages: readonly OutputMessage[],
  { ids, answerId, start, content }: CallOptions,
): OtlpSpan {
  const own = placed.filter(call => call.agentId === agentId)
  const begin = own[0]?.start ?? start
  return {
    traceId: ids.traceId,
    spanId: subagentId(agentId, ids),
    parentSpanId: answerId,
    name: wellFormed(`invoke_agent ${agentId}`),
    kind: KIND.internal,
    startTimeUnixNano: nanoseconds(begin),
    endTimeUnixNano: nanoseconds(own.reduce((last, { end }) => Math.max(last, end), begin)),
    attributes: attributesOf({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.id': agentId,
      'gen_ai.output.messages': content ? subagentMessages(messages, agentId) : undefined,
      'assay.estimated_start': true,
    }),
  }
}

function subagentId(agentId: string, ids: TraceIds): string {
  return ids.spanId(JSON.stringify(['subagent', agentId]))
}

function json(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value)
}
