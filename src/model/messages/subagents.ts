import type { OutputMessage, ToolCall } from '../answer.ts'

/** A message or call that may be of a subagent. */
interface Attributed {
  readonly agent_id?: string | null | undefined
}

/** A call, with the subagent that made it. */
export type AttributedCall = ToolCall & Pick<OutputMessage, 'agent_id'>

/** Whether a message or call is of the agent itself, not of a subagent. */
export function isOwn({ agent_id }: Attributed): boolean {
  // Other programs write null.
  return agent_id == null
}

/** The tool calls of messages in order, each with its subagent. */
export function callsIn(messages: readonly OutputMessage[]): AttributedCall[] {
  return messages.flatMap(({ tool_calls = [], agent_id }) =>
    agent_id === undefined ? tool_calls : tool_calls.map(call => ({ ...call, agent_id })),
  )
}

/** The last message with content of the agent itself. */
export function lastOwnMessage(messages: readonly OutputMessage[]): OutputMessage | undefined {
  return messages.findLast(message => message.role === 'assistant' && message.content !== undefined && isOwn(message))
}

/** Names the subagent of a message or call; empty for the agent itself. */
export function subagentName({ agent_id }: Attributed): string {
  return agent_id == null ? '' : `subagent ${agent_id}`.trimEnd()
}
