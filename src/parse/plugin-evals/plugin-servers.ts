import { join } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import type { Host } from '../../model/host.ts'
import { manifestPaths, readPlugin } from '../../model/plugin.ts'
import type { PluginFolder } from './plugin-folder.ts'

/** The names that the MCP servers of a plugin have for the agent: `plugin_NAME_SERVER`. */
export async function pluginServers({ folder }: PluginFolder, host: Host): Promise<ReadonlyMap<string, string>> {
  const plugin = await readPlugin(folder, host)
  if (typeof plugin !== 'object') return new Map()
  const files = [join(folder, '.mcp.json'), ...manifestPaths(plugin, 'mcpServers')]
  const found = [plugin.manifest, ...(await Promise.all(files.map(file => readJson(file, host))))]
  const names = found.flatMap(value => {
    const servers = isMapping(value) ? value['mcpServers'] : undefined
    return isMapping(servers) ? Object.keys(servers) : []
  })
  return new Map(names.map(name => [name, `plugin_${plugin.name}_${name}`.replace(/[^\w-]/g, '_')]))
}

async function readJson(file: string, host: Host): Promise<unknown> {
  const bytes = await host.files.read(file, LARGEST).catch(() => new Uint8Array())
  return parseJson(new TextDecoder().decode(bytes))
}

/** Longer files are not searched. */
const LARGEST = 10_000_000
