import { parseJson } from '../../lib/json/parse-json.ts'
import type { GenAiMessage } from './message-content.ts'

/** A message of a test, in the form of EVAL.yaml and of records. */
export type InputMessage = Readonly<Record<string, unknown>>

/** The input of a test; undefined if a part of it cannot be a part of a test. */
export function testInput(messages: readonly GenAiMessage[]): InputMessage[] | undefined {
  const converted = messages.map(inputMessage)
  return converted.every(message => message !== undefined) ? converted : undefined
}

function inputMessage({ role, parts }: GenAiMessage): InputMessage | undefined {
  const [only] = parts
  if (only?.['type'] === 'tool_call_response')
    return parts.length === 1 && typeof only['id'] === 'string'
      ? { role: 'tool', content: asText(only['response'] ?? only['result']), tool_call_id: only['id'] }
      : undefined
  const speaker = ROLES.get(role)
  const content = parts.filter(({ type }) => type !== 'tool_call' && type !== 'reasoning').map(block)
  const calls = parts.filter(({ type }) => type === 'tool_call').map(call)
  if (!speaker || content.includes(undefined) || calls.includes(undefined)) return undefined
  if (calls.length > 0 ? speaker !== 'assistant' : content.length === 0) return undefined
  return {
    role: speaker,
    ...(content.length === 0 ? {} : { content: contentOf(content) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

type Block = { readonly type: string; readonly value: unknown }

/** A single text is written as a string, as in records. */
function contentOf(blocks: readonly (Block | undefined)[]): unknown {
  const [only] = blocks
  return blocks.length === 1 && only?.type === 'text' ? only.value : blocks
}

function block({ type, content, text, value }: GenAiMessage['parts'][number]): Block | undefined {
  const said = content ?? text
  if (type === 'text' && typeof said === 'string') return { type: 'text', value: said }
  return type === 'json' && value !== undefined ? { type: 'json', value } : undefined
}

function call({ id, name, arguments: input }: GenAiMessage['parts'][number]): object | undefined {
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  const isText = typeof input === 'string' && parseJson(input) !== undefined
  return { id, type: 'function', function: { name, arguments: isText ? input : JSON.stringify(input ?? {}) } }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
