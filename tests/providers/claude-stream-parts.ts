import type { Answer } from '../../src/model/answer.ts'
import { ClaudeEvents } from '../../src/providers/shared/agents/claude-events.ts'

export type Fields = Record<string, unknown>

/** Reads events of Claude Code from their lines, one every 100 ms. */
export function claude(...list: readonly unknown[]): ClaudeEvents {
  const events = new ClaudeEvents()
  list.forEach((each, index) => {
    events.read(JSON.parse(typeof each === 'string' ? each : JSON.stringify(each)), index * 100)
  })
  return events
}

export const INIT = { type: 'system', subtype: 'init', model: 'large' }

export const result = (more: Fields = {}) => ({
  subtype: 'success',
  is_error: false,
  result: 'ok',
  ...more,
  type: 'result',
})

export const says = (text: string, more: Fields = {}, id = text) => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id, model: 'large', content: [{ type: 'text', text }] },
  ...more,
})

export const calls = (id: unknown, name: string, more: Fields = {}, message = `m-${id}`) => ({
  type: 'assistant',
  parent_tool_use_id: null,
  message: { id: message, model: 'large', content: [{ type: 'tool_use', id, name, input: { of: id } }] },
  ...more,
})

export const returns = (id: unknown, content: unknown, more: Fields = {}, block: Fields = {}) => ({
  type: 'user',
  parent_tool_use_id: null,
  message: { content: [{ type: 'tool_result', tool_use_id: id, content, ...block }] },
  ...more,
})

/** The fields of events of a subagent. */
export const by = (agent_id: string) => ({ agent_id, parent_tool_use_id: `call-of-${agent_id}` })

/** The tool calls of an answer in order, with their error, and the subagent that made them. */
export function callsOf({ output_messages = [] }: Answer): string[] {
  return output_messages.flatMap(({ tool_calls = [], agent_id = 'own' }) =>
    tool_calls.map(({ tool, output, error }) => `${agent_id} ${tool}: ${error === undefined ? output : `! ${error}`}`),
  )
}
