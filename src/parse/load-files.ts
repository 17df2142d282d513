import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { lookupOf } from '../evaluators/lookup.ts'
import type { Evaluator } from '../model/evaluator.ts'
import type { Host } from '../model/host.ts'
import type { Suite } from '../model/suite.ts'
import type { TargetType } from '../spec/targets.ts'
import { readConfigFile } from './config.ts'
import { Diagnostics } from './diagnostics.ts'
import { Files } from './files.ts'
import { isConfigFile, isTargetsFile } from './find-files.ts'
import type { LoadContext } from './suite/load-context.ts'
import { loadSuite } from './suite/load-suite.ts'
import { reportOtherFormats } from './suite/other-formats.ts'
import { checkTargetsFile } from './targets/list-targets.ts'

export interface LoadOptions {
  readonly host: Host
  readonly evaluators: readonly Evaluator[]
  /** How targets are written; without it, every file is read as a suite. */
  readonly targetTypes?: readonly TargetType[]
  /** Texts that come from elsewhere, by the path they go under. */
  readonly texts?: ReadonlyMap<string, Uint8Array>
  /** Whether suites are only converted, so that a test that nothing grades is a warning. */
  readonly isConversion?: boolean
}

export interface LoadResult {
  /** The suites without errors. */
  readonly suites: readonly Suite[]
  /** How many files were read, those that suites name included. */
  readonly files: number
  /** All mistakes of all files, in order of place. */
  readonly diagnostics: readonly Diagnostic[]
  /** Values in targets files that must not be shown, with the names to show instead. */
  readonly secrets: ReadonlyMap<string, string>
}

/** Loads suites, and looks through targets files and configurations; each file is read once. */
export async function loadFiles(paths: readonly string[], options: LoadOptions): Promise<LoadResult> {
  const mistakes = new Diagnostics()
  const files = new Files(options.host, mistakes)
  const context: LoadContext = {
    files,
    mistakes,
    lookup: lookupOf(options.evaluators),
    isConversion: options.isConversion,
    otherFormats: [],
  }
  for (const [path, bytes] of options.texts ?? []) files.provide(path, bytes)
  const suites: Suite[] = []
  const secrets = new Map<string, string>()
  for (const path of paths) {
    if (options.targetTypes && isTargetsFile(path)) {
      await checkTargetsFile(path, options.targetTypes, files, mistakes, secrets)
      continue
    }
    if (options.targetTypes && isConfigFile(path)) {
      await readConfigFile(path, files, mistakes)
      continue
    }
    const suite = await loadSuite(path, context)
    // A dataset may be named by both of its files.
    if (suite && !suites.some(({ file }) => file === suite.file)) suites.push(suite)
  }
  reportOtherFormats(context.otherFormats, options.host.cwd, mistakes)
  return { suites, diagnostics: mistakes.sorted(), files: files.count, secrets }
}
