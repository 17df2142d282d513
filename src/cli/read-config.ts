import type { Selection } from '../evaluate.ts'
import type { Host } from '../model/host.ts'
import { type LoadedConfig, loadConfig } from '../parse/config.ts'
import { findSettingsFolder } from '../record/project-folders.ts'
import { diagnosticsText } from './terminal/diagnostics.ts'
import { paletteFor, terminal } from './terminal/terminal.ts'

/** The configuration that a command here works with. */
export async function nearestConfig(host: Host): Promise<LoadedConfig> {
  const { folder } = await findSettingsFolder(host)
  return loadConfig(folder, host)
}

/** Says what is wrong with a configuration, and whether that is anything. */
export function hasMistakes({ diagnostics }: LoadedConfig): boolean {
  if (diagnostics.length === 0) return false
  const loaded = { diagnostics, suites: [], files: 1, secrets: new Map() }
  terminal.err(diagnosticsText(loaded, paletteFor(process.stderr)))
  return true
}

/** Where suites are looked for when the user names no path. */
export function unnamedSuites({ home, config }: LoadedConfig): Pick<Selection, 'paths' | 'eval_patterns'> {
  const { eval_patterns } = config
  return eval_patterns ? { paths: [home], eval_patterns } : { paths: ['.'] }
}
