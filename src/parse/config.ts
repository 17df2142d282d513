import { dirname, join } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Host } from '../model/host.ts'
import type { Origin } from '../model/location.ts'
import { type Config, configSchema } from '../spec/config.ts'
import { Diagnostics } from './diagnostics.ts'
import { CONFIG_NAMES } from './file-names.ts'
import { Files } from './files.ts'
import { isNonFolder } from './find-files.ts'
import { checkShape } from './shape/check-shape.ts'
import { readDocument } from './yaml/read-document.ts'

export interface LoadedConfig {
  /** Absolute path of the folder that contains `.assay`. Globs start there. */
  readonly home: string
  /** Absolute path of the file; undefined if it does not exist. */
  readonly file: string | undefined
  /** The configuration; empty if the file has errors. */
  readonly config: Config
  /** Root node of the file. */
  readonly at: Origin | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** Loads the configuration of a settings folder, with its diagnostics. */
export async function loadConfig(settingsFolder: string, host: Host): Promise<LoadedConfig> {
  const diagnostics = new Diagnostics()
  const files = new Files(host, diagnostics)
  const file = await findConfigFile(settingsFolder, files)
  const read = file === undefined ? undefined : await readConfigFile(file, files, diagnostics)
  return {
    home: dirname(settingsFolder),
    file,
    config: read?.config ?? {},
    at: read?.at,
    diagnostics: diagnostics.sorted(),
  }
}

/** Reads a configuration file; returns undefined if it has errors. */
export async function readConfigFile(
  file: string,
  files: Files,
  diagnostics: Diagnostics,
): Promise<{ config: Config; at: Origin } | undefined> {
  const before = diagnostics.errors
  const source = await files.read(file)
  const document = source && readDocument(source, diagnostics)
  if (!document) return undefined
  const { value, at } = document
  // A file with only comments is an empty configuration.
  const config = checkShape(configSchema(), value ?? {}, at, diagnostics)
  if (!config || diagnostics.errors > before) return undefined
  // A single target is located like the first item of a list.
  const isSingle = typeof config.target === 'string'
  return { config, at: isSingle ? at.with({ target: at.child('target').wrapped('0') }) : at }
}

async function findConfigFile(settingsFolder: string, files: Files): Promise<string | undefined> {
  for (const name of CONFIG_NAMES) {
    const path = join(settingsFolder, name)
    if (isNonFolder(await files.stat(path))) return path
  }
  return undefined
}

/** Default names of targets and the judge, in place of `default` and `judge`. */
export interface DefaultTargets {
  readonly targets?: readonly string[] | undefined
  readonly judge?: string | undefined
}

/** Default names with their location, if known. */
export interface LocatedDefaultTargets extends DefaultTargets {
  /** Root node of the configuration. */
  readonly at?: Origin | undefined
}

/** Returns the default names of a configuration; undefined if it has none. */
export function defaultTargets({ target, judge }: Config): DefaultTargets | undefined {
  if (target === undefined && judge === undefined) return undefined
  return { targets: target === undefined ? undefined : [target].flat(), judge }
}
