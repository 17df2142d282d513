import { basename, join } from 'node:path'
import { lazily } from '../../../lib/lazily.ts'
import * as z from '../../../lib/zod.ts'
import type { Host } from '../../../model/host.ts'
import type { ServerAliases } from '../../../model/mcp-server.ts'
import { evalsFolder, manifestPaths, type Plugin, pluginFiles, readPlugin } from '../../../model/plugin.ts'
import { pluginServers } from '../../../model/plugin-servers.ts'
import type { PluginContext } from '../../../model/provider.ts'
import { findSkills, namesOfSkill } from './skill-folders.ts'

/** The field of agents that load plugins. */
export const pluginFields = lazily(() => ({
  plugins: z
    .array(z.string().min(1))
    .optional()
    .describe(
      'Folders of plugins that the agent loads: each has a `.claude-plugin/plugin.json`, a `plugin.json`, or is a skill itself. An empty list isolates the agent without any plugin.',
    ),
}))

export type PluginConfig = z.output<z.ZodObject<ReturnType<typeof pluginFields>>>

/** Reads plugins. Folders that are not plugins are left out: they are reported before a run. */
async function readPlugins(folders: readonly string[], host: Host): Promise<Plugin[]> {
  const found = await Promise.all(folders.map(folder => readPlugin(folder, host)))
  return found.filter(plugin => typeof plugin === 'object')
}

/** Absolute paths of the files that an agent loads from plugins. */
export async function filesOfPlugins(folders: readonly string[], host: Host): Promise<string[]> {
  const files = await Promise.all((await readPlugins(folders, host)).map(plugin => pluginFiles(plugin, host)))
  return files.flat()
}

/** Names of the skills and commands of plugins, each alone and after the name of its plugin. */
export async function pluginSkills(folders: readonly string[], host: Host): Promise<string[]> {
  const plugins = await readPlugins(folders, host)
  const names = await Promise.all(
    plugins.map(async plugin => {
      const own = [...(await skillsIn(plugin, host)), ...(await commandsIn(plugin, host))]
      return own.flatMap(name => [name, `${plugin.name}:${name}`])
    }),
  )
  return names.flat()
}

async function skillsIn(plugin: Plugin, host: Host): Promise<string[]> {
  const { folder } = plugin
  const places = [join(folder, 'skills'), ...manifestPaths(plugin, 'skills')]
  const found = await Promise.all(places.map(place => findSkills(place, host)))
  const lone = (await findSkills(folder, host)).filter(skill => skill === folder)
  const names = await Promise.all([...lone, ...found.flat()].map(skill => namesOfSkill(skill, host)))
  return names.flat()
}

/** Commands, which agents start like skills. */
async function commandsIn(plugin: Plugin, host: Host): Promise<string[]> {
  const places = [join(plugin.folder, 'commands'), ...manifestPaths(plugin, 'commands')]
  const below = await Promise.all(
    places.map(async place => (place.endsWith('.md') ? [place] : await host.files.listNames(place).catch(() => []))),
  )
  const files = below.flat().filter(name => name.endsWith('.md'))
  return files.map(name => basename(name, '.md'))
}

/** The names of the servers of plugins in a client. */
export async function pluginAliases(
  folders: readonly string[] = [],
  { host }: Pick<PluginContext, 'host'>,
): Promise<ServerAliases> {
  const aliases = new Map<string, string[]>()
  for (const plugin of await readPlugins(folders, host)) {
    const servers = await pluginServers(plugin, host)
    for (const name of typeof servers === 'string' ? [] : servers)
      aliases.set(name, [...(aliases.get(name) ?? []), `plugin:${plugin.name}:${name}`])
  }
  return Object.fromEntries(aliases)
}

/** What a sandbox shows of plugins: everything but their evals, suites, and records of attempts. */
export async function pluginMounts(
  folders: readonly string[],
  host: Host,
): Promise<{ readonly readable: readonly string[]; readonly hidden: readonly string[] }> {
  const plugins = await readPlugins(folders, host)
  const readable = await Promise.all(
    plugins.map(async plugin => {
      const names = (await host.files.listNames(plugin.folder)).filter(name => !LEFT_OUT.test(name))
      return names.map(name => join(plugin.folder, name)).filter(path => path !== evalsFolder(plugin))
    }),
  )
  return { readable: readable.flat(), hidden: plugins.map(evalsFolder) }
}

const LEFT_OUT = /^\.(?:assay|agentv|co|git)$|\.(?:ya?ml|jsonl)$/i
