import { parseJson } from '../../lib/json/parse-json.ts'
import { type Message, messageText } from '../../model/message.ts'

/** The messages before the last one of the user as a session of the client: JSON lines. Undefined if there are none. */
export function historyLines(input: readonly Message[]): string | undefined {
  const last = input.findLastIndex(({ role }) => role === 'user')
  const earlier = input.slice(0, last).filter(({ role }) => role !== 'system')
  if (earlier.length === 0) return undefined
  return earlier.map((message, index) => `${JSON.stringify(lineOf(message, index))}\n`).join('')
}

function lineOf(message: Message, index: number): object {
  const type = message.role === 'assistant' ? 'assistant' : 'user'
  return {
    type,
    uuid: uuidOf(index),
    parentUuid: index === 0 ? null : uuidOf(index - 1),
    timestamp: timeOf(index),
    message: { role: type, content: contentOf(message) },
  }
}

/** A time for each message, one second after the other: the same suite gives the same files. */
function timeOf(index: number): string {
  const parts = [index / 3600, (index / 60) % 60, index % 60].map(part => String(Math.floor(part)).padStart(2, '0'))
  return `2026-01-01T${parts.join(':')}.000Z`
}

function uuidOf(index: number): string {
  return `00000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`
}

function contentOf(message: Message): unknown {
  const text = messageText(message)
  if (message.role === 'tool') return [{ type: 'tool_result', tool_use_id: message.tool_call_id, content: text }]
  if (message.role !== 'assistant') return text
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: json } }) => ({
    type: 'tool_use',
    id,
    name,
    input: parseJson(json) ?? {},
  }))
  return [...(text === '' ? [] : [{ type: 'text', text }]), ...calls]
}
