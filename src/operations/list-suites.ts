import { hasErrors } from '../diagnostics/diagnostic.ts'
import { evaluators } from '../evaluators/index.ts'
import type { Host } from '../model/host.ts'
import type { FoundFiles } from '../parse/find-files.ts'
import type { LoadResult } from '../parse/load-files.ts'
import { defaultPaths, loadNearestConfig } from './config.ts'
import { loadSuites } from './load-suites.ts'

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
