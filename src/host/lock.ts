import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Lock } from '../model/host.ts'

/** Long enough for a second process that thinks the same to have noticed. */
const SECOND_LOOK_MS = 50

/** Takes a lock file for this process. What a killed process left is taken over, by one only. */
export async function takeLock(path: string): Promise<Lock> {
  const mine = JSON.stringify({ pid: process.pid, host: hostname(), nonce: Math.random() })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, mine)
  try {
    for (let tries = 0; ; tries++) {
      if (await linked(draft, path)) {
        if (tries > 0 && !(await isStillMine(path, mine))) return { holder: describe(await contentOf(path)) }
        return { release: () => rm(path, { force: true }) }
      }
      const held = await contentOf(path)
      if (held !== undefined && isAlive(held)) return { holder: describe(held) }
      await removeStale(path, held)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** A link is made with its content, or not at all. */
async function linked(draft: string, path: string): Promise<boolean> {
  return link(draft, path).then(
    () => true,
    error => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )
}

/** Moves the file out of the way, and back when it is no longer the one that was looked at. */
async function removeStale(path: string, stale: string | undefined): Promise<void> {
  const aside = `${path}.${process.pid}.stale`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  if ((await contentOf(aside)) !== stale) await linked(aside, path)
  await rm(aside, { force: true })
}

async function isStillMine(path: string, mine: string): Promise<boolean> {
  await new Promise(resolve => setTimeout(resolve, SECOND_LOOK_MS))
  return (await contentOf(path)) === mine
}

async function contentOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined)
}

function isAlive(content: string): boolean {
  const { pid, host } = holderOf(content)
  if (pid === undefined) return false
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function describe(content: string | undefined): string {
  const { pid, host } = holderOf(content ?? '')
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
