import { lazily } from '../lib/lazily.ts'
import * as z from '../lib/zod.ts'

/** An MCP server as agents know it: a program, or a URL. */
export const mcpServerSchema = lazily(() =>
  z
    .union([
      z.strictObject({
        command: z.string().min(1).describe('Program of the server.'),
        args: z.array(z.string()).optional().describe('Arguments of the program.'),
        env: z.record(z.string(), z.string()).optional().describe('Environment variables to add.'),
      }),
      z.strictObject({
        url: z.string().min(1).describe('URL of the server.'),
        headers: z.record(z.string(), z.string()).optional().describe('Headers of each request.'),
      }),
    ])
    .describe('An MCP server: a program that is started, or a URL.'),
)

export type McpServer = z.output<ReturnType<typeof mcpServerSchema>>

/** MCP servers that an agent connects to besides those of its target, and the paths that they need. */
export interface McpAccess {
  readonly servers: Readonly<Record<string, McpServer>>
  /** What the agent calls servers that it has through plugins. */
  readonly aliases?: ServerAliases | undefined
  /** Absolute paths that the programs of the servers read, and those that they write. A sandbox shows them. */
  readonly readable: readonly string[]
  readonly writable: readonly string[]
}

/** Names that an agent has for the MCP servers of its plugins, by the name in the plugin: `orders` is `plugin:shop:orders`. */
export type ServerAliases = Readonly<Record<string, readonly string[]>>

/** The name of a server in names of tools: `plugin_shop_orders` in `mcp__plugin_shop_orders__cancel`. */
export function shownServer(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_')
}
