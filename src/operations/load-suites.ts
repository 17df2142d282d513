import { hasErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import type { Host } from '../model/host.ts'
import { type FoundFiles, findSuites } from '../parse/find-files.ts'
import { type LoadOptions, type LoadResult, loadFiles } from '../parse/load-files.ts'
import { dropCopies } from '../parse/suite/drop-copies.ts'
import { defaultPaths, loadNearestConfig } from './config.ts'
import { isSingleArm, type Selection } from './run/run-request.ts'
import type { Runtime } from './runtime.ts'

/** Text → suites, without those that were transpiled from others. */
export async function loadSuites(
  selection: Selection,
  { host, evaluators }: Pick<Runtime, 'host' | 'evaluators'>,
  {
    allows_expired,
    is_single_arm = isSingleArm(selection),
  }: Pick<LoadOptions, 'allows_expired' | 'is_single_arm'> = {},
): Promise<{ readonly found: FoundFiles; readonly loaded: LoadResult }> {
  const { paths = ['.'], eval_patterns } = selection
  const found = await findSuites(paths, host, eval_patterns)
  const loaded = await loadFiles(found.files, { host, evaluators, allows_expired, is_single_arm })
  const { suites, copies } = dropCopies(loaded.suites, found.named)
  return { found: { ...found, copies }, loaded: { ...loaded, suites } }
}

export interface ListedSuites {
  readonly found: FoundFiles
  readonly loaded: LoadResult
  readonly has_errors: boolean
}

/** Loads the suites that a run would take: those at the paths, else those that the configuration names. */
export async function listSuites(paths: readonly string[], host: Host): Promise<ListedSuites> {
  const selection = paths.length > 0 ? { paths } : defaultPaths(await loadNearestConfig(host))
  const { found, loaded } = await loadSuites(selection, { host, evaluators })
  return { found, loaded, has_errors: hasErrors(loaded.diagnostics) }
}
