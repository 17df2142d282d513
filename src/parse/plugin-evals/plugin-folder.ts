import { dirname, join, resolve } from 'node:path'
import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'
import type { HostFiles } from '../../model/host-files.ts'

/** The folder of a plugin, or of a skill without one. */
export interface PluginFolder {
  readonly folder: string
  /** The manifest, or the `SKILL.md` of a skill without a plugin. */
  readonly file: string
  readonly is_skill: boolean
  /** Absolute path of the folder that its evals are in, whether it exists or not. */
  readonly evals: string
}

const MANIFESTS = ['.claude-plugin/plugin.json', 'plugin.json']
const SKILL = 'SKILL.md'

/** Longer manifests are not searched for the folder of evals. */
const LARGEST_MANIFEST = 10_000_000

type Files = Pick<HostFiles, 'stat' | 'read'>

/** Finds the nearest plugin or skill, from a folder up to the root of the repository. */
export async function findPluginFolder(start: string, files: Files): Promise<PluginFolder | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const plugin = await pluginIn(folder, files)
    if (plugin) return plugin
    const isRoot = (await files.stat(join(folder, '.git')).catch(() => undefined)) !== undefined
    if (isRoot || folder === dirname(folder)) return undefined
  }
}

/** Returns the plugin or skill whose folder this is. */
export async function pluginIn(folder: string, files: Files): Promise<PluginFolder | undefined> {
  for (const name of [...MANIFESTS, SKILL]) {
    const file = join(folder, name)
    if ((await files.stat(file).catch(() => undefined))?.kind !== 'file') continue
    const is_skill = name === SKILL
    const evals = is_skill ? undefined : await evalsIn(file, files)
    return { folder, file, is_skill, evals: resolve(folder, evals ?? 'evals') }
  }
  return undefined
}

/** The folder of evals that a manifest names. A manifest that cannot be read is reported with its evals. */
async function evalsIn(manifest: string, files: Files): Promise<string | undefined> {
  const bytes = await files.read(manifest, LARGEST_MANIFEST).catch(() => new Uint8Array())
  const value = parseJson(new TextDecoder().decode(bytes))
  const experimental = isMapping(value) ? value['experimental'] : undefined
  const evals = isMapping(experimental) ? experimental['evals'] : undefined
  return typeof evals === 'string' && evals !== '' ? evals : undefined
}
