import { dirname, relative, resolve } from 'node:path'
import { sha256 } from '../lib/sha256.ts'
import { type AgentSettings, agentSettingsOf } from '../model/agent-settings.ts'
import type { Host } from '../model/host.ts'
import { pluginFiles, readPlugin } from '../model/plugin.ts'
import type { Suite } from '../model/suite.ts'
import type { Test } from '../model/test.ts'
import { hashWorkspace } from './workspace-files.ts'

type SuiteOf = Pick<Suite, 'execution' | 'file'>

/** Absolute paths of the folders that the settings of an agent name. */
export function agentFolders(suite: SuiteOf, test: Pick<Test, 'execution'>): string[] {
  const settings = agentSettingsOf(suite, test)
  if (!settings) return []
  const { plugins = [], add_dirs = [] } = settings
  return [...plugins, ...add_dirs].map(path => resolve(dirname(suite.file), path))
}

/** Hashes the folders that the settings of agents name, by absolute path. */
export async function hashAgentFolders(
  selected: readonly { readonly suite: SuiteOf; readonly tests: readonly Test[] }[],
  host: Host,
): Promise<Map<string, string>> {
  const folders = selected.flatMap(({ suite, tests }) => tests.flatMap(test => agentFolders(suite, test)))
  const hashes = new Map<string, string>()
  for (const folder of new Set(folders)) hashes.set(folder, await hashAgentFolder(folder, host))
  return hashes
}

/** Hashes a folder: of a plugin, the files that the agent may load. */
async function hashAgentFolder(folder: string, host: Host): Promise<string> {
  const plugin = await readPlugin(folder, host)
  if (typeof plugin !== 'object') return hashWorkspace(folder, host)
  const lines: string[] = []
  for (const file of (await pluginFiles(plugin, host)).sort()) {
    const bytes = await host.files.read(file).catch(() => undefined)
    lines.push(`${relative(folder, file)}\0${bytes ? sha256(bytes) : 'unreadable'}`)
  }
  return sha256(lines.join('\n'))
}

/** Settings of an agent for the identity of a request: folders by their path from the suite, and their content. */
export function identifiedSettings(
  settings: AgentSettings,
  { file }: SuiteOf,
  hashes: ReadonlyMap<string, string>,
): Readonly<Record<string, unknown>> {
  const { plugins, add_dirs, ...others } = settings
  const home = dirname(file)
  const identified = (paths: readonly string[]) =>
    paths.map(path => resolve(home, path)).map(path => [relative(home, path), hashes.get(path)])
  return {
    ...others,
    ...(plugins ? { plugins: identified(plugins) } : {}),
    ...(add_dirs ? { add_dirs: identified(add_dirs) } : {}),
  }
}
