import { dirname, join } from 'node:path'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Host } from '../model/host.ts'
import type { Origin } from '../model/location.ts'
import { type Config, configSchema } from '../spec/config.ts'
import { Diagnostics } from './diagnostics.ts'
import { Files } from './files.ts'
import { CONFIG_NAMES, isNonFolder } from './find-files.ts'
import { checkShape } from './shape/check-shape.ts'
import { readDocument } from './yaml/read-document.ts'

export interface LoadedConfig {
  /** Absolute path of the folder that holds `.assay`: patterns start there. */
  readonly home: string
  /** Absolute path of the file; undefined where there is none. */
  readonly file: string | undefined
  /** What it says; nothing where there is an error in it. */
  readonly config: Config
  /** Where that is written. */
  readonly at: Origin | undefined
  readonly diagnostics: readonly Diagnostic[]
}

/** The configuration in a folder `.assay`, or every mistake in it. */
export async function loadConfig(settingsFolder: string, host: Host): Promise<LoadedConfig> {
  const mistakes = new Diagnostics()
  const files = new Files(host, mistakes)
  const file = await findConfigFile(settingsFolder, files)
  const read = file === undefined ? undefined : await readConfigFile(file, files, mistakes)
  return {
    home: dirname(settingsFolder),
    file,
    config: read?.config ?? {},
    at: read?.at,
    diagnostics: mistakes.sorted(),
  }
}

/** Reads a configuration, and reports every mistake in it; undefined after at least one. */
export async function readConfigFile(
  file: string,
  files: Files,
  mistakes: Diagnostics,
): Promise<{ config: Config; at: Origin } | undefined> {
  const before = mistakes.errors
  const source = await files.read(file)
  const document = source && readDocument(source, mistakes)
  if (!document) return undefined
  const { value, at } = document
  // One in which everything is commented out is as good as none.
  const config = checkShape(configSchema, value ?? {}, at, mistakes)
  if (!config || mistakes.errors > before) return undefined
  // A single target is found as the first of a list.
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

/** Names of targets that are taken where nobody names one, in place of `default` and `judge`. */
export interface DefaultTargets {
  readonly targets?: readonly string[] | undefined
  readonly judge?: string | undefined
}

/** The same, and where they are written, where that is known. */
export interface LocatedDefaultTargets extends DefaultTargets {
  /** The configuration. */
  readonly at?: Origin | undefined
}

/** The names in a configuration; undefined where it has none. */
export function defaultTargets({ target, judge }: Config): DefaultTargets | undefined {
  if (target === undefined && judge === undefined) return undefined
  return { targets: target === undefined ? undefined : [target].flat(), judge }
}
