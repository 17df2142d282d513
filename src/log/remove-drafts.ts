import { join } from 'node:path'
import { draftOf } from '../lib/draft-name.ts'
import type { Host } from '../model/host.ts'

/** Removes the drafts of runs that killed writers left beside the runs of a log. The caller holds its lock. */
export async function removeRunDrafts(folder: string, host: Host): Promise<void> {
  const names = await host.files.listNames(folder).catch(() => [])
  const drafts = names.filter(name => /^run_\d+\.yaml$/.test(draftOf(name)?.file ?? ''))
  await removeAll(folder, drafts, host)
}

/**
 * Removes the drafts and locks that killed writers left in a folder of logs. A log whose lock is held is being written,
 * so it is left as it is.
 */
export async function cleanUpLogs(folder: string, host: Host, lockOf: (name: string) => string): Promise<void> {
  for (const [name, drafts] of await draftsIn(folder, host)) {
    const lock = await host.locks.take(lockOf(name)).catch(() => undefined)
    if (!lock || !('release' in lock)) continue
    try {
      await removeAll(folder, drafts, host)
      await removeRunDrafts(join(folder, name), host)
    } finally {
      await lock.release()
    }
  }
}

/** The drafts of each log that has some, or a lock. */
async function draftsIn(folder: string, host: Host): Promise<ReadonlyMap<string, readonly string[]>> {
  const drafts = new Map<string, string[]>()
  for (const file of await host.files.listNames(folder).catch(() => [])) {
    const drafted = /^(.+)\.yaml$/s.exec(draftOf(file)?.file ?? '')?.[1]
    const name = drafted ?? /^\.(.+)\.lock$/s.exec(file)?.[1]
    if (name !== undefined && !/^\.\.?$/.test(name))
      drafts.set(name, [...(drafts.get(name) ?? []), ...(drafted === undefined ? [] : [file])])
  }
  return drafts
}

/** What cannot be removed is left: a write that fails for the same reason reports it. */
async function removeAll(folder: string, names: readonly string[], host: Host): Promise<void> {
  for (const name of names) await host.files.remove(join(folder, name)).catch(() => {})
}
