import type { Host } from '../model/host.ts'
import { type LoadedConfig, loadConfig } from '../parse/config.ts'
import { findSettingsFolder } from '../record/project-folders.ts'
import { InvalidFile } from './invalid-file.ts'

/** Reads the nearest `.assay/config.yaml`, valid or not. */
export async function readNearestConfig(host: Host): Promise<LoadedConfig> {
  const { folder } = await findSettingsFolder(host)
  return loadConfig(folder, host)
}

/** Loads the nearest `.assay/config.yaml`. Throws `InvalidFile`. */
export async function loadNearestConfig(host: Host): Promise<LoadedConfig> {
  return validConfig(await readNearestConfig(host))
}

/** Loads the configuration in a folder `.assay`. Throws `InvalidFile`. */
export async function loadConfigIn(settingsFolder: string, host: Host): Promise<LoadedConfig> {
  return validConfig(await loadConfig(settingsFolder, host))
}

function validConfig(loaded: LoadedConfig): LoadedConfig {
  if (loaded.diagnostics.length > 0) throw new InvalidFile(loaded.diagnostics)
  return loaded
}

interface SuitePaths {
  readonly paths: readonly string[]
  readonly eval_patterns?: readonly string[]
}

/** Where suites are searched when no path is given. */
export function defaultPaths({ home, config }: LoadedConfig): SuitePaths {
  const { eval_patterns } = config
  return eval_patterns ? { paths: [home], eval_patterns } : { paths: ['.'] }
}
