import { parseJson } from '../../lib/json/parse-json.ts'
import { deepEqual, withoutNullish } from '../../lib/objects.ts'
import type { OutputMessage, ToolCall } from '../../model/answer.ts'
import type { ImportNotes } from '../import-notes.ts'
import { contentOf, type GenAiMessage, type SpanContent } from './message-content.ts'
import { isModelCall, isToolCall, type SpanNode, subagentsOf, within } from './operations.ts'
import { durationOf, type TraceSpan } from './read-spans.ts'

/** A call of a message, with its id. */
interface OpenCall {
  readonly id: unknown
  call: ToolCall
  span: TraceSpan | undefined
}

interface OpenMessage {
  readonly message: Omit<OutputMessage, 'tool_calls'>
  readonly calls: OpenCall[]
}

/** What an operation was given, and its answer: its own messages, or those of the models that it called. */
export function operationContent(node: SpanNode): SpanContent {
  const own = contentOf(node.span)
  if (own.input && own.output) return own
  const calls = within(node, isModelCall).map(call => contentOf(call.span))
  const asked = calls.find(({ input }) => input)?.input
  return { input: own.input ?? asked, output: own.output ?? outputsOf(calls, asked ?? []) }
}

/** The messages that models added: the input of the last call, after that of the first one, and its output. */
function outputsOf(calls: readonly SpanContent[], asked: readonly GenAiMessage[]): readonly GenAiMessage[] | undefined {
  const answered = calls.filter(({ output }) => output)
  const last = answered.at(-1)
  if (!last?.output) return undefined
  const { input = [] } = last
  const continues = input.length >= asked.length && asked.every((message, index) => deepEqual(message, input[index]))
  if (continues && input.length > asked.length) return [...input.slice(asked.length), ...last.output]
  return answered.flatMap(({ output }) => output ?? [])
}

/** The messages of an agent and of its subagents, with the calls and their results. */
export function transcriptOf(node: SpanNode, output: readonly GenAiMessage[], notes: ImportNotes): OutputMessage[] {
  const own = agentMessages(node, output, undefined, notes)
  const messages = [...own]
  for (const subagent of subagentsOf(node)) {
    const { attributes, name, start } = subagent.span
    const agentId = String(attributes.get('gen_ai.agent.id') ?? attributes.get('gen_ai.agent.name') ?? name)
    const said = agentMessages(subagent, operationContent(subagent).output ?? [], agentId, notes)
    // After the call that started it.
    const before = messages.findLastIndex(({ calls }) => calls.some(({ span }) => span && span.start <= start))
    messages.splice(before + 1, 0, ...said)
  }
  return messages.map(({ message, calls }) =>
    calls.length === 0 ? message : { ...message, tool_calls: calls.map(({ call }) => call) },
  )
}

function agentMessages(
  node: SpanNode,
  output: readonly GenAiMessage[],
  agentId: string | undefined,
  notes: ImportNotes,
): OpenMessage[] {
  const agent = agentId === undefined ? {} : { agent_id: agentId }
  const messages = output.flatMap(message => openMessage(message, agent, node, notes))
  for (const { parts } of output) for (const part of parts) addResult(part, messages)
  const spans = within(node, isToolCall).map(({ span }) => span)
  const unknown = spans.filter(span => !addSpan(span, messages))
  if (unknown.length === 0) return messages
  const calls = unknown.map(span => ({ id: undefined, span, call: withSpan({ tool: toolName(span) }, span) }))
  // Their place among the messages is not recorded, except that the answer comes last.
  const last = messages.at(-1)?.calls.length === 0 ? messages.splice(-1) : []
  return [...messages, { message: { role: 'assistant', ...agent }, calls }, ...last]
}

/** A message with its texts and calls; none for one that only has results of calls. */
function openMessage({ role, parts }: GenAiMessage, agent: object, node: SpanNode, notes: ImportNotes): OpenMessage[] {
  const texts = parts.flatMap(part => textIn(part) ?? [])
  const calls = parts.flatMap(part => callIn(part) ?? [])
  if (parts.some(part => !IGNORED.includes(part['type']) && textIn(part) === undefined && !callIn(part)))
    notes.approximated(node.span.at, 'a part of an answer that is neither text nor a tool call is left out')
  if (texts.length === 0 && calls.length === 0) return []
  const content = texts.length > 1 ? texts.map(text => ({ type: 'text', text })) : texts[0]
  return [{ message: { role, ...(content === undefined ? {} : { content }), ...agent }, calls }]
}

/** Parts that say nothing to the user, and results, which are recorded with their calls. */
const IGNORED: readonly unknown[] = ['reasoning', 'tool_call_response']

type Part = GenAiMessage['parts'][number]

function textIn({ type, content, text }: Part): string | undefined {
  const said = content ?? text
  return type === 'text' && typeof said === 'string' ? said : undefined
}

function callIn({ type, id, name, arguments: input }: Part): OpenCall | undefined {
  if (type !== 'tool_call' || typeof name !== 'string' || name === '') return undefined
  const hasInput = input !== undefined && input !== null
  return { id, span: undefined, call: { tool: name, ...(hasInput ? { input: parsed(input) } : {}) } }
}

function addResult({ type, id, response, result }: Part, messages: readonly OpenMessage[]): void {
  if (type !== 'tool_call_response') return
  const open = messages.flatMap(({ calls }) => calls).find(call => call.id === id && !('output' in call.call))
  const output = response ?? result
  if (open && output !== undefined && output !== null) open.call = { ...open.call, output }
}

/** Adds duration, error and result to the call of a message. Returns false if no message has it. */
function addSpan(span: TraceSpan, messages: readonly OpenMessage[]): boolean {
  const id = span.attributes.get('gen_ai.tool.call.id')
  const calls = messages.flatMap(message => message.calls).filter(call => call.span === undefined)
  const found =
    calls.find(call => id !== undefined && call.id === id) ?? calls.find(({ call }) => call.tool === toolName(span))
  if (!found) return false
  found.span = span
  found.call = withSpan(found.call, span)
  return true
}

function withSpan(call: ToolCall, span: TraceSpan): ToolCall {
  const { attributes, error } = span
  const { output = parsed(attributes.get('gen_ai.tool.call.result')), ...rest } = call
  const { input = parsed(attributes.get('gen_ai.tool.call.arguments')) } = call
  // The message of a failed call is often its result.
  const isMessage = error !== undefined && output === error
  return {
    ...rest,
    ...withoutNullish({ input, output: isMessage ? undefined : output, duration_ms: durationOf(span), error }),
  } as ToolCall
}

function toolName({ attributes, name }: TraceSpan): string {
  const named = attributes.get('gen_ai.tool.name')
  return typeof named === 'string' && named !== '' ? named : name.replace(/^execute_tool /, '') || 'tool'
}

/** A string of JSON as its value. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return parseJson(value) ?? value
}
