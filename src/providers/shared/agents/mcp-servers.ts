import { join } from 'node:path'
import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import type { Issue } from '../../../model/issue.ts'
import { type McpServer, mcpServerSchema } from '../../../model/mcp-server.ts'
import type { Prompt } from '../../../model/prompt.ts'
import type { AskContext } from '../../../model/provider.ts'

/** The field of agents that connect to MCP servers. */
export const mcpFields = lazily(() => ({
  mcp_servers: z
    .record(
      z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'is not a valid name of a server: use letters, digits, `_` and `-`'),
      mcpServerSchema(),
    )
    .optional()
    .describe(
      'MCP servers by name. The agent connects to these, and to mocked servers, which replace those of the same name.',
    ),
}))

export type McpConfig = z.output<z.ZodObject<ReturnType<typeof mcpFields>>>

/** The MCP servers of an agent. */
export interface AgentServers {
  readonly servers: Readonly<Record<string, McpServer>>
  /** Names of the mocked ones, which the agent may call without asking. */
  readonly mocked: readonly string[]
  /** Whether the test has mocked servers, if only some that do not exist for this target. */
  readonly hasMocks: boolean
}

/** The servers of a target and the mocked ones; undefined without any. */
export function agentServers({ mcp_servers }: McpConfig, { mcp }: Prompt): AgentServers | undefined {
  if (!mcp_servers && !mcp) return undefined
  const { servers = {}, aliases = {} } = mcp ?? {}
  const named = Object.entries(servers).flatMap(([name, server]) =>
    (Object.hasOwn(aliases, name) ? (aliases[name] ?? []) : [name]).map(alias => [alias, server] as const),
  )
  const mocked = Object.fromEntries(named)
  return { servers: { ...mcp_servers, ...mocked }, mocked: Object.keys(mocked), hasMocks: mcp !== undefined }
}

/** Reports URLs that are not valid. */
export function mcpIssues({ mcp_servers = {} }: McpConfig): Issue[] {
  return Object.entries(mcp_servers).flatMap(([name, server]): Issue[] => {
    if (!('url' in server) || (/^https?:/i.test(server.url) && URL.canParse(server.url))) return []
    const message = 'this is not a valid URL of a server'
    return [{ code: 'bad-target', path: ['mcp_servers', name, 'url'], message, hint: 'write `https://…`' }]
  })
}

/** The servers in the format that most MCP clients read. */
function mcpServersJson(servers: AgentServers['servers']): string {
  const entries = Object.entries(servers).map(([name, server]) => [
    name,
    'url' in server ? { type: 'http', ...server } : server,
  ])
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) })
}

/** Calls `run` with a temporary file that contains the servers: they may have secrets, which arguments would show. */
export async function withMcpFile<Result>(
  servers: AgentServers['servers'] | undefined,
  { host }: AskContext,
  run: (file: string | undefined) => Promise<Result>,
): Promise<Result> {
  if (!servers) return run(undefined)
  const folder = await host.files.makeTemporaryFolder()
  try {
    const file = join(folder, 'mcp-servers.json')
    await host.files.writeNew(file, mcpServersJson(servers))
    return await run(file)
  } finally {
    await host.files.remove(folder).catch(() => {})
  }
}
