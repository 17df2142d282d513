import type { OutputMessage } from '../model/answer.ts'
import { type ServerAliases, shownServer } from '../model/mcp-server.ts'
import type { MockServers } from '../model/mock.ts'
import type { MockCall } from '../model/mock-call.ts'
import { NOT_MOCKED } from './answer-call.ts'

const MCP_NAME = /^mcp__(.+?)__(.+)$/s

/** Calls in a transcript to tools that mocked servers do not have: agents refuse them, so they reach no server. */
export function unmockedCalls(
  messages: readonly OutputMessage[],
  servers: MockServers,
  aliases: ServerAliases = {},
): readonly MockCall[] {
  const plain = plainNames(servers, aliases)
  return messages
    .flatMap(({ tool_calls = [] }) => tool_calls)
    .flatMap(({ tool: name, input }): MockCall[] => {
      const [, shown = '', tool = ''] = MCP_NAME.exec(name) ?? []
      const server = plain.get(shown)
      if (server === undefined) return []
      const known = Object.keys((Object.hasOwn(servers, server) ? servers[server]?.tools : undefined) ?? {})
      if (known.some(each => each === tool || asShown(each) === tool)) return []
      return [{ server, tool, input, error: NOT_MOCKED, rejected: true }]
    })
}

/** Names of mocked servers, and of all servers of plugins, by the name in the names of tools. */
function plainNames(servers: MockServers, aliases: ServerAliases): ReadonlyMap<string, string> {
  const own = Object.keys(servers).filter(name => !Object.hasOwn(aliases, name))
  const ofPlugins = Object.entries(aliases).flatMap(([name, all]) =>
    all.map(alias => [shownServer(alias), name] as const),
  )
  return new Map([...own.map(name => [name, name] as const), ...ofPlugins])
}

/** The name of a tool as models see it, which have no dots in names. */
function asShown(tool: string): string {
  return tool.replace(/[^A-Za-z0-9_-]/g, '_')
}
