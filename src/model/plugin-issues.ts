import { resolve } from 'node:path'
import { quoteCode } from '../lib/text/quote.ts'
import type { Host } from './host.ts'
import type { Issue } from './issue.ts'
import { PLUGIN_FILES, type Plugin, readPlugin } from './plugin.ts'
import { pluginServers } from './plugin-servers.ts'

/** Reports folders that are not plugins, and plugins of the same name. */
export async function pluginIssues(written: readonly string[], home: string, host: Host): Promise<Issue[]> {
  const issues: Issue[] = []
  const names = new Set<string>()
  for (const [index, folder] of written.entries()) {
    const path = ['plugins', index]
    const plugin = await loadablePlugin(resolve(home, folder), host)
    if (plugin === undefined) {
      const message = `${quoteCode(folder)} is not a plugin: it has none of ${PLUGIN_FILES.join(', ')}`
      issues.push({ code: 'file-missing', path, message, hint: `relative paths start at ${home}` })
    } else if (typeof plugin === 'string') {
      const hint = 'correct it: the agent would not load the plugin'
      issues.push({ code: 'bad-target', path, message: `${quoteCode(folder)} cannot be loaded: ${plugin}`, hint })
    } else if (names.has(plugin.name)) {
      const hint = 'keep one of them: agents load only one plugin of a name'
      issues.push({ code: 'bad-target', path, message: `two plugins are named ${quoteCode(plugin.name)}`, hint })
    } else names.add(plugin.name)
  }
  return issues
}

/** Reads a plugin; a text if its manifest or its servers cannot be used. */
async function loadablePlugin(folder: string, host: Host): Promise<Plugin | string | undefined> {
  const plugin = await readPlugin(folder, host)
  const servers = typeof plugin === 'object' ? await pluginServers(plugin, host) : []
  return typeof servers === 'string' ? servers : plugin
}
