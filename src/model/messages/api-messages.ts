import { asciiJsonLine } from '../../lib/json/stringify.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Answer, OutputMessage, ToolCall } from '../answer.ts'
import { asText, contentText } from './content-text.ts'
import { isOwn } from './subagents.ts'

/** A tool call in the form of model APIs. */
export interface ApiCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** A message in the form of model APIs. */
export interface ApiMessage {
  readonly role: string
  readonly content?: string
  readonly tool_calls?: readonly ApiCall[]
  readonly tool_call_id?: string
  readonly name?: string
  /** The subagent of the message; absent for the agent itself. */
  readonly agent_id?: string
}

/** Converts recorded messages of a test. */
export function inputMessages(recorded: readonly unknown[]): ApiMessage[] {
  return recorded.filter(isMapping).map(({ role, content, ...rest }) => ({
    role: String(role),
    ...(content === undefined ? {} : { content: inputText(content) }),
    ...rest,
  }))
}

/** A content as text; files and images by name, because their content is not recorded. */
function inputText(content: unknown): string {
  if (!Array.isArray(content)) return contentText(content)
  return contentText(content.map(block => (isMapping(block) && FILES.has(block['type']) ? fileText(block) : block)))
}

const FILES: ReadonlySet<unknown> = new Set(['file', 'image'])

function fileText({ type, value }: Record<string, unknown>): string {
  const isInline = typeof value !== 'string' || /^data:|^[\w+/=\s]{256,}$/.test(value)
  return isInline ? `<${type} />` : `<${type} path=${JSON.stringify(value)} />`
}

/** Converts an answer that follows earlier messages. The last message is the text of the answer. */
export function answerMessages(answer: Answer, before: readonly ApiMessage[]): ApiMessage[] {
  const messages = new Transcript(before)
  for (const message of answer.output_messages ?? []) messages.add(message)
  return messages.endingWith(answer.text)
}

/** Messages with an id for every call and a message for every result. */
class Transcript {
  readonly #messages: ApiMessage[] = []
  #ids: number

  constructor(before: readonly ApiMessage[]) {
    // Too many ids for the arguments of Math.max.
    this.#ids = before
      .flatMap(({ tool_calls = [] }) => tool_calls)
      .reduce((highest, { id }) => Math.max(highest, Number(/^call_(\d+)$/.exec(id)?.[1] ?? 0)), 0)
  }

  add({ role, content, tool_calls: calls = [], agent_id }: OutputMessage): void {
    // Results are recorded with their calls.
    if (role === 'tool') return
    const text = content === undefined || content === null ? '' : contentText(content)
    if (text === '' && calls.length === 0) return
    const made = calls.map(call => ({ call, api: this.#callOf(call) }))
    const agent = agent_id === undefined ? {} : { agent_id }
    this.#messages.push({
      ...agent,
      role,
      ...(text === '' ? {} : { content: text }),
      ...(made.length === 0 ? {} : { tool_calls: made.map(({ api }) => api) }),
    })
    for (const { call, api } of made) {
      const result = call.error ?? call.output
      if (result !== undefined) {
        this.#messages.push({ ...agent, role: 'tool', content: asText(result), tool_call_id: api.id })
      }
    }
  }

  #callOf({ tool, input }: ToolCall): ApiCall {
    return {
      id: `call_${++this.#ids}`,
      type: 'function',
      function: { name: tool, arguments: asciiJsonLine(input ?? {}) },
    }
  }

  endingWith(text: string): ApiMessage[] {
    const last = this.#messages.at(-1)
    const isThere = last?.role === 'assistant' && isOwn(last) && !last.tool_calls && last.content === text
    return isThere ? this.#messages : [...this.#messages, { role: 'assistant', content: text }]
  }
}
