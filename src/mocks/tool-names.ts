import type { OutputMessage } from '../model/answer.ts'
import type { MockServers } from '../model/mock.ts'
import type { MockCall } from '../model/mock-call.ts'
import { NOT_MOCKED } from './answer-call.ts'

const MCP_NAME = /^mcp__(.+?)__(.+)$/s

/** Calls in a transcript to tools that mocked servers do not have: agents refuse them, so they reach no server. */
export function unmockedCalls(messages: readonly OutputMessage[], servers: MockServers): readonly MockCall[] {
  return messages
    .flatMap(({ tool_calls = [] }) => tool_calls)
    .flatMap(({ tool: name, input }): MockCall[] => {
      const [, server = '', tool = ''] = MCP_NAME.exec(name) ?? []
      if (!Object.hasOwn(servers, server)) return []
      const known = Object.keys(servers[server]?.tools ?? {})
      if (known.some(each => each === tool || asShown(each) === tool)) return []
      return [{ server, tool, input, error: NOT_MOCKED, rejected: true }]
    })
}

/** The name of a tool as models see it, which have no dots in names. */
function asShown(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_')
}
