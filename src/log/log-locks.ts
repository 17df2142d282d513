import { join } from 'node:path'
import { parseDraftName } from '../lib/paths.ts'
import type { Host } from '../model/host.ts'
import { LogError } from './log.ts'

const LONGEST_WAIT_MS = 60_000
const LONGEST_NAP_MS = 20

/**
 * Waits for a lock and runs `work` while holding it. Takes over the lock of a killed process. Returns undefined if
 * `isOver` returns true before the lock is free.
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
    // Random, so that waiting processes do not retry in step.
    await host.clock.sleep(1 + host.random() * LONGEST_NAP_MS)
  }
}

/** Removes unfinished run files of killed writers. The caller holds the lock of the log. */
export async function removeRunDrafts(folder: string, host: Host): Promise<void> {
  const names = await host.files.listNames(folder).catch(() => [])
  const drafts = names.filter(name => /^run_\d+\.yaml$/.test(parseDraftName(name)?.file ?? ''))
  await removeAll(folder, drafts, host)
}

/**
 * Removes the drafts and locks of killed writers in a folder of logs. Skips logs whose lock is held: they are being
 * written.
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

/** Maps each log that has drafts or a lock to its drafts. */
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

/** Ignores errors: a later write fails for the same reason and reports it. */
async function removeAll(folder: string, names: readonly string[], host: Host): Promise<void> {
  for (const name of names) await host.files.remove(join(folder, name)).catch(() => {})
}
