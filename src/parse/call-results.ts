import type { Block, Message } from '../model/message.ts'
import type { MessageCall } from '../model/message-calls.ts'

/** Messages in which every call has an id, and every result that is written with its call is a tool message. */
export function withCallResults(messages: Message[]): Message[] {
  if (messages.every(message => callsIn(message).length === 0)) return messages
  const taken = new Set(messages.flatMap(callsIn).map(({ id }) => id))
  let next = 1
  const freeId = () => {
    while (taken.has(`call_${next}`)) next++
    return `call_${next++}`
  }
  return messages.flatMap((message): Message[] => {
    if (message.role !== 'assistant' || !message.tool_calls) return [message]
    const calls = message.tool_calls.map(call => ({ ...call, id: call.id === '' ? freeId() : call.id }))
    const results = calls.flatMap(call => resultOf(call) ?? [])
    return [{ ...message, tool_calls: calls.map(({ output, ...call }) => call) }, ...results]
  })
}

function callsIn(message: Message): readonly MessageCall[] {
  return message.role === 'assistant' ? (message.tool_calls ?? []) : []
}

function resultOf({ id, output, function: called }: MessageCall): Message | undefined {
  if (output === undefined) return undefined
  const block: Block = typeof output === 'string' ? { type: 'text', value: output } : { type: 'json', value: output }
  return { role: 'tool', content: [block], tool_call_id: id, name: called.name }
}
