import { type FoundFiles, findSuites } from '../parse/find-files.ts'
import { type LoadResult, loadFiles } from '../parse/load-files.ts'
import { dropCopies } from '../parse/suite/drop-copies.ts'
import type { Selection } from './run-request.ts'
import type { Runtime } from './runtime.ts'

/** Text → suites, without those that were transpiled from others. */
export async function loadSuites(
  { paths = ['.'], eval_patterns }: Selection,
  { host, evaluators }: Pick<Runtime, 'host' | 'evaluators'>,
): Promise<{ readonly found: FoundFiles; readonly loaded: LoadResult }> {
  const found = await findSuites(paths, host, eval_patterns)
  const loaded = await loadFiles(found.files, { host, evaluators })
  const { suites, copies } = dropCopies(loaded.suites, found.named)
  return { found: { ...found, copies }, loaded: { ...loaded, suites } }
}
