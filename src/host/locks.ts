import { closeSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Lock } from '../model/host.ts'
import { openRegularFileSync, throwIfLink } from './files/regular-file.ts'
import { draftPath, openNew } from './files/write-files.ts'
import { isRunning } from './processes/is-running.ts'

/** The contents of the locks that this process holds. */
const mine = new Set<string>()

/** Takes a lock file for this process. Only one process can take over the lock of a killed one. */
export async function takeLock(path: string): Promise<Lock> {
  const draft = draftPath(path)
  const content = JSON.stringify({ pid: process.pid, host: hostname(), nonce: Math.random() })
  // Before the lock exists: another caller in this process would otherwise take it for that of a killed process.
  mine.add(content)
  try {
    writeDraft(draft, content)
    while (!linked(draft, path)) {
      const held = contentOf(path)
      // It was released in the meantime.
      if (held === undefined) continue
      const holder = isAlive(held) ? describe(held) : await removeStale(path, held)
      if (holder === undefined) continue
      mine.delete(content)
      return { holder }
    }
    return {
      release: async () => {
        mine.delete(content)
        // The file may have been removed and taken by another process.
        if (contentOf(path) === content) rmSync(path, { force: true })
      },
    }
  } catch (error) {
    mine.delete(content)
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Describes the live process that has a lock; undefined if it is free, or was left by a killed process. */
export async function lockHolder(path: string): Promise<string | undefined> {
  const held = contentOf(path)
  return held !== undefined && isAlive(held) ? describe(held) : undefined
}

/** Creates the lock with its content atomically; returns false if it exists. */
function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/**
 * Removes the lock of a killed process; returns the holder if another process is doing that. One at a time, and only
 * the content that was checked: a slow process would otherwise remove the lock of a faster one.
 */
async function removeStale(path: string, stale: string): Promise<string | undefined> {
  const guard = await takeLock(`${path}.stale`)
  if ('holder' in guard) return guard.holder
  try {
    if (contentOf(path) === stale) rmSync(path, { force: true })
    return undefined
  } finally {
    await guard.release()
  }
}

function writeDraft(path: string, content: string): void {
  const file = openNew(path)
  try {
    writeFileSync(file, content)
  } finally {
    closeSync(file)
  }
}

/** Reads a lock; undefined if it does not exist. Throws for a link or a pipe. */
function contentOf(path: string): string | undefined {
  try {
    const file = openRegularFileSync(path, { follow: false })
    try {
      return readFileSync(file, 'utf8')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    return throwIfLink(path)(error as Error)
  }
}

function isAlive(content: string): boolean {
  const { pid, host } = holderOf(content)
  if (pid === undefined) return false
  if (host !== hostname()) return true
  // After a restart of a container, an earlier process may have had this pid.
  if (pid === process.pid) return mine.has(content)
  return isRunning(pid)
}

function describe(content: string): string {
  const { pid, host } = holderOf(content)
  return pid === undefined ? 'another process' : `process ${pid}${host === hostname() ? '' : ` on ${host}`}`
}

function holderOf(content: string): { pid?: number; host?: string } {
  try {
    const { pid, host } = JSON.parse(content)
    return typeof pid === 'number' ? { pid, host: String(host) } : {}
  } catch {
    return {}
  }
}
