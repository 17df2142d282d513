import { join, relative, resolve } from 'node:path'
import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import type { Host } from './host.ts'
import type { Plugin } from './plugin.ts'

/** Names of the MCP servers that a plugin declares, or a text if they cannot be read. */
export async function pluginServers(plugin: Plugin, host: Host): Promise<readonly string[] | string> {
  const names = new Set<string>()
  for (const declared of await declarations(plugin, host)) {
    if (typeof declared === 'string') return declared
    for (const name of Object.keys(declared)) names.add(name)
  }
  return [...names]
}

type Declaration = Readonly<Record<string, unknown>> | string

/** The servers in the manifest, in the files that it names, and in .mcp.json. */
async function declarations(plugin: Plugin, host: Host): Promise<Declaration[]> {
  const { folder, manifest } = plugin
  const own = join(folder, '.mcp.json')
  const isThere = (await host.files.stat(own).catch(() => undefined)) !== undefined
  const written = [manifest['mcpServers'] ?? []].flat()
  return Promise.all([
    ...written.map(async value => {
      if (typeof value === 'string') return readServers(resolve(folder, value), plugin, host)
      return isMapping(value) ? value : '`mcpServers` in the manifest is neither a mapping nor a path'
    }),
    ...(isThere ? [readServers(own, plugin, host)] : []),
  ])
}

/** Reads a file of servers, with or without the key `mcpServers` around them. */
async function readServers(file: string, { folder }: Plugin, host: Host): Promise<Declaration> {
  const bytes = await host.files.read(file).catch(() => undefined)
  const content = bytes && parseJson(new TextDecoder().decode(bytes).replace(/^\uFEFF/, ''))
  if (!isMapping(content)) return `${relative(folder, file)} is not a JSON object`
  return isMapping(content['mcpServers']) ? content['mcpServers'] : content
}
