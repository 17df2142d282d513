import { dirname, join } from 'node:path'
import type { Host } from '../../model/host.ts'
import { evalsFolder, PLUGIN_FILES, readPlugin } from '../../model/plugin.ts'

/** The folder of a plugin, or of a skill without one. */
export interface PluginFolder {
  readonly folder: string
  /** The manifest, or the `SKILL.md` of a skill without a plugin. */
  readonly file: string
  readonly is_skill: boolean
  /** Absolute path of the folder that its evals are in, whether it exists or not. */
  readonly evals: string
}

/** Finds the nearest plugin or skill, from a folder up to the root of the repository. */
export async function findPluginFolder(start: string, host: Host): Promise<PluginFolder | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const plugin = await pluginIn(folder, host)
    if (plugin) return plugin
    const isRoot = (await host.files.stat(join(folder, '.git')).catch(() => undefined)) !== undefined
    if (isRoot || folder === dirname(folder)) return undefined
  }
}

async function pluginIn(folder: string, host: Host): Promise<PluginFolder | undefined> {
  for (const name of PLUGIN_FILES) {
    const file = join(folder, name)
    if ((await host.files.stat(file).catch(() => undefined))?.kind !== 'file') continue
    const plugin = await readPlugin(folder, host)
    // A manifest that cannot be used is reported with the evals.
    const evals = typeof plugin === 'object' ? evalsFolder(plugin) : join(folder, 'evals')
    return { folder, file, is_skill: name === 'SKILL.md', evals }
  }
  return undefined
}
