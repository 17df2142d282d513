import { join } from 'node:path'
import { parseDraftName } from '../lib/paths.ts'
import type { Host } from '../model/host.ts'
import { LogError } from './log.ts'

const LONGEST_WAIT_MS = 60_000
const LONGEST_NAP_MS = 20

/**
 * Works while it holds a lock, for which it waits; a lock that a killed process left is taken over. Undefined where
 * `isOver` before the lock is free.
 */
export async function withLock<Value>(
  path: string,
  host: Host,
  work: () => Promise<Value>,
  isOver: () => boolean = () => false,
): Promise<Value | undefined> {
  const start = host.clock.elapsed()
  for (;;) {
    const lock = await host.locks.take(path)
    if ('release' in lock) {
      try {
        return await work()
      } finally {
        await lock.release()
      }
    }
    if (isOver()) return undefined
    if (host.clock.elapsed() - start > LONGEST_WAIT_MS)
      throw new LogError(
        `${path} has been locked by ${lock.holder} for more than 60 s. If that process has ended, remove the file.`,
      )
    // At random, so that several waiting processes do not try at the same moment.
    await host.clock.sleep(1 + host.random() * LONGEST_NAP_MS)
  }
}

/** Removes the drafts of runs that killed writers left beside the runs of a log. The caller holds its lock. */
export async function removeRunDrafts(folder: string, host: Host): Promise<void> {
  const names = await host.files.listNames(folder).catch(() => [])
  const drafts = names.filter(name => /^run_\d+\.yaml$/.test(parseDraftName(name)?.file ?? ''))
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
    const drafted = /^(.+)\.yaml$/s.exec(parseDraftName(file)?.file ?? '')?.[1]
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
