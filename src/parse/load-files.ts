import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import { lookupOf } from '../evaluators/lookup.ts'
import type { Evaluator } from '../model/evaluator.ts'
import type { Host } from '../model/host.ts'
import type { Suite } from '../model/suite.ts'
import type { TargetType } from '../spec/targets.ts'
import { readConfigFile } from './config.ts'
import { Diagnostics } from './diagnostics.ts'
import { isBaselineFile, isConfigFile, isTargetsFile } from './file-names.ts'
import { Files } from './files.ts'
import type { LoadContext } from './suite/load-context.ts'
import { loadSuite } from './suite/load-suite.ts'
import { reportOtherFormats } from './suite/other-formats.ts'

export interface LoadOptions {
  readonly host: Host
  readonly evaluators: readonly Evaluator[]
  /** Known target types. Without them, every file is read as a suite. */
  readonly targetTypes?: readonly TargetType[]
  /** Texts that are not read from disk, by path. */
  readonly texts?: ReadonlyMap<string, Uint8Array>
  /** Whether suites are only converted: an ungraded test is then a warning. */
  readonly isConversion?: boolean
  /** Whether an expired quarantine is accepted. */
  readonly allows_expired?: boolean | undefined
  /** Whether plugin evals run only on the targets that are given, without their control arm. */
  readonly is_single_arm?: boolean | undefined
}

export interface LoadResult {
  /** Suites without errors. */
  readonly suites: readonly Suite[]
  /** Number of files read, including those that suites name. */
  readonly files: number
  /** Diagnostics of all files, sorted by location. */
  readonly diagnostics: readonly Diagnostic[]
  /** Values of targets files to redact, with the names that replace them. */
  readonly secrets: ReadonlyMap<string, string>
}

/** Loads suites, and checks targets files, configurations and baselines. Reads each file once. */
export async function loadFiles(paths: readonly string[], options: LoadOptions): Promise<LoadResult> {
  const diagnostics = new Diagnostics()
  const files = new Files(options.host, diagnostics)
  const context: LoadContext = {
    files,
    diagnostics,
    lookup: lookupOf(options.evaluators),
    isConversion: options.isConversion,
    is_single_arm: options.is_single_arm,
    today: options.isConversion || options.allows_expired ? undefined : localDay(options.host),
    otherFormats: [],
  }
  for (const [path, bytes] of options.texts ?? []) files.provide(path, bytes)
  const suites: Suite[] = []
  const secrets = new Map<string, string>()
  for (const path of paths) {
    if (options.targetTypes && isTargetsFile(path)) {
      const { checkTargetsFile } = await import('./targets/list-targets.ts')
      await checkTargetsFile(path, options.targetTypes, files, diagnostics, secrets)
      continue
    }
    if (options.targetTypes && isConfigFile(path)) {
      await readConfigFile(path, files, diagnostics)
      continue
    }
    if (options.targetTypes && isBaselineFile(path)) {
      const { readBaseline } = await import('./baseline.ts')
      await readBaseline(path, files, diagnostics)
      continue
    }
    const suite = await loadSuite(path, context)
    // Both files of a dataset may be given.
    if (suite && !suites.some(({ file }) => file === suite.file)) suites.push(suite)
  }
  reportOtherFormats(context.otherFormats, options.host.cwd, diagnostics)
  return { suites, diagnostics: diagnostics.sorted(), files: files.count, secrets }
}

/** The current day in the local time zone: `2026-12-31`. */
function localDay({ clock }: Host): string {
  return clock.localTime(clock.timestamp()).slice(0, '2026-12-31'.length)
}
