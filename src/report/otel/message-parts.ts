import { isMapping } from '../../lib/objects.ts'
import type { OutputMessage } from '../../model/answer.ts'
import { asText, contentText } from '../../model/messages/content-text.ts'
import { isOwn, lastOwnMessage } from '../../model/messages/subagents.ts'
import type { Result } from '../../model/result.ts'

/** A message of the GenAI conventions. */
interface GenAiMessage {
  readonly role: string
  readonly parts: readonly object[]
  readonly finish_reason?: string
}

/** The input of a test as `gen_ai.input.messages`. */
export function inputMessages(input: readonly unknown[]): string {
  return JSON.stringify(
    input.filter(isMapping).map(({ role, content, tool_calls, tool_call_id }) => ({
      role: String(role),
      parts:
        tool_call_id === undefined
          ? [...contentParts(content), ...(Array.isArray(tool_calls) ? tool_calls.map(apiCallPart) : [])]
          : [responsePart(String(tool_call_id), content)],
    })),
  )
}

/** The answer of the agent itself as `gen_ai.output.messages`: its transcript, or its text. */
export function outputMessages({ answer, output_messages = [], finish_reason }: Result): string {
  const finish = { finish_reason: finish_reason ?? 'stop' }
  const messages = transcriptMessages(output_messages, isOwn)
  const last = lastOwnMessage(output_messages)
  const isThere = last !== undefined && contentText(last.content) === answer
  const text = isThere || answer === null ? [] : [{ role: 'assistant', parts: [textPart(answer)] }]
  return JSON.stringify(
    [...messages, ...text].map(message => (message.role === 'assistant' ? { ...message, ...finish } : message)),
  )
}

/** The transcript of a subagent as `gen_ai.output.messages`. */
export function subagentMessages(messages: readonly OutputMessage[], agentId: string): string {
  const own = transcriptMessages(messages, ({ agent_id }) => agent_id === agentId)
  return JSON.stringify(
    own.map(message => (message.role === 'assistant' ? { ...message, finish_reason: 'stop' } : message)),
  )
}

/** The id of a call: its number in the transcript, from 1. */
export function callId(number: number): string {
  return `call_${number}`
}

/** Messages with an id for every call, and a message for every result. */
function transcriptMessages(
  messages: readonly OutputMessage[],
  isIncluded: (message: OutputMessage) => boolean,
): GenAiMessage[] {
  let calls = 0
  return messages.flatMap(message => {
    const { role, content, tool_calls = [] } = message
    const made = tool_calls.map(call => ({ ...call, id: callId(++calls) }))
    if (!isIncluded(message)) return []
    const parts = made.map(({ id, tool, input }) => ({ type: 'tool_call', id, name: tool, arguments: input ?? null }))
    const results = made.flatMap(({ id, output, error }) => {
      const result = output ?? error
      return result === undefined ? [] : [{ role: 'tool', parts: [responsePart(id, result)] }]
    })
    return [{ role, parts: [...contentParts(content), ...parts] }, ...results]
  })
}

/** The parts of a content: texts as such, any other block unchanged. */
function contentParts(content: unknown): object[] {
  if (content === undefined || content === null) return []
  if (!Array.isArray(content)) return [textPart(asText(content))]
  return content.map(block => {
    if (!isMapping(block)) return textPart(asText(block))
    const text = block['text'] ?? (block['type'] === 'text' ? block['value'] : undefined)
    if (typeof text === 'string') return textPart(text)
    return typeof block['type'] === 'string' ? block : { type: 'json', value: block }
  })
}

function textPart(content: string): object {
  return { type: 'text', content }
}

function responsePart(id: string, response: unknown): object {
  return { type: 'tool_call_response', id, response }
}

/** A call in the form of model APIs. */
function apiCallPart(call: unknown): object {
  const { id, function: called } = isMapping(call) ? call : {}
  const { name, arguments: input } = isMapping(called) ? called : {}
  return { type: 'tool_call', id, name, arguments: input }
}
