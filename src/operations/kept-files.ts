import { isSafePath } from '../lib/paths.ts'
import { sha256 } from '../lib/sha256.ts'
import type { FileChange } from '../model/changes.ts'
import type { Host } from '../model/host.ts'
import type { Result } from '../model/result.ts'
import type { RunReader } from '../model/run-reader.ts'
import type { KeptFiles } from '../report/reporter.ts'

/** Most bytes of one file that is copied, and of all files of an attempt. */
const LARGEST_FILE = 10 * 1024 * 1024
const LARGEST_ATTEMPT = 50 * 1024 * 1024

/** Finds the changed files that the workspaces of a run still have, with the content that was recorded. */
export async function findKeptFiles(run: RunReader, host: Host): Promise<KeptFiles> {
  const kept = new Map<string, ReadonlySet<string>>()
  for (const result of run.results()) {
    const { workspace_path: folder, changes = [], attempt_id } = result
    if (folder === undefined || changes.length === 0) continue
    // A path in a record of another machine may be any folder of this one.
    if (!(await host.files.hasTemporaryFolder(folder).catch(() => false))) continue
    kept.set(attempt_id, await filesIn(folder, changes, host))
  }
  return kept
}

async function filesIn(folder: string, changes: NonNullable<Result['changes']>, host: Host): Promise<Set<string>> {
  const paths = new Set<string>()
  let total = 0
  for (const change of changes.filter(isCopied)) {
    const size = change.after?.size ?? 0
    if (total + size > LARGEST_ATTEMPT || !(await hasContent(folder, change, host))) continue
    total += size
    paths.add(change.path)
  }
  return paths
}

function isCopied({ path, after }: FileChange): boolean {
  return after?.hash !== undefined && after.link === undefined && isSafePath(path)
}

async function hasContent(folder: string, { path, after }: FileChange, host: Host): Promise<boolean> {
  const file = await host.files.readContained(folder, path, LARGEST_FILE).catch(() => undefined)
  return file !== undefined && 'bytes' in file && sha256(file.bytes) === after?.hash
}
