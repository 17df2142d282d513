import { basename, join, resolve } from 'node:path'
import { parseJson } from '../lib/json/parse-json.ts'
import { isMapping } from '../lib/objects.ts'
import { isBelow } from '../lib/paths.ts'
import type { Host } from './host.ts'

/** A plugin of a coding agent, or a lone skill that is loaded as one. */
export interface Plugin {
  /** Absolute path. */
  readonly folder: string
  /** The first part of the names of its skills: `data` in `data:csv-report`. */
  readonly name: string
  /** Its manifest; empty without one. */
  readonly manifest: Readonly<Record<string, unknown>>
}

const MANIFEST = '.claude-plugin/plugin.json'

/** The files of which a plugin has at least one. */
export const PLUGIN_FILES = [MANIFEST, 'plugin.json', 'SKILL.md']

/** Reads a plugin; undefined if the folder is not a plugin, and a text if its manifest cannot be used. */
export async function readPlugin(folder: string, host: Host): Promise<Plugin | string | undefined> {
  const found = await Promise.all(PLUGIN_FILES.map(name => isFile(join(folder, name), host)))
  if (!found.includes(true)) return undefined
  // Agents take the name only from the first file.
  if (!found[0]) return { folder, name: basename(folder), manifest: {} }
  const bytes = await host.files.read(join(folder, MANIFEST)).catch(() => undefined)
  const manifest = bytes && parseJson(new TextDecoder().decode(bytes).replace(/^\uFEFF/, ''))
  if (!isMapping(manifest)) return `${MANIFEST} is not a JSON object`
  const { name = basename(folder) } = manifest
  if (typeof name !== 'string' || name === '') return `the name in ${MANIFEST} is not a text`
  return { folder, name, manifest }
}

/** Absolute path of the folder with the evals of a plugin, which is not part of what the agent loads. */
export function evalsFolder({ folder, manifest: { experimental } }: Plugin): string {
  const written = isMapping(experimental) ? experimental['evals'] : undefined
  return resolve(folder, typeof written === 'string' ? written : 'evals')
}

/** Absolute paths of the files that an agent may load from a plugin: all but its evals, and its manifest. */
export async function pluginFiles(plugin: Plugin, host: Host): Promise<string[]> {
  const { folder } = plugin
  const evals = evalsFolder(plugin)
  const below = await Promise.all(
    [folder, join(folder, '.claude-plugin')].map(each => host.files.findBelow(each, () => true)),
  )
  return below.flatMap(({ files }) => files).filter(file => !isBelow(file, evals))
}

/** Resolves the paths of a key of a manifest, a text or a list. Those outside of the plugin are ignored. */
export function manifestPaths({ folder, manifest }: Plugin, key: string): string[] {
  const written = [manifest[key]].flat().filter(path => typeof path === 'string')
  return written.map(path => resolve(folder, path)).filter(path => isBelow(path, folder))
}

async function isFile(path: string, host: Host): Promise<boolean> {
  return (await host.files.stat(path).catch(() => undefined))?.kind === 'file'
}
