import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAbandonedDraft } from './draft-path.ts'
import { isRunning } from './is-running.ts'
import { isOurs, OWNER_ENDING, PREFIX, remove } from './temporary-folders.ts'

/** Removes what processes of ours left that were killed: drafts in a folder, and temporary folders. What cannot be removed stays. */
export async function removeLeftovers(folder: string): Promise<void> {
  await Promise.all([removeDrafts(folder), removeAbandonedFolders()])
}

async function removeDrafts(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter(isAbandonedDraft)) await rm(join(folder, name)).catch(() => {})
}

/** Those that their process neither kept nor removed before it ended. */
async function removeAbandonedFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(PREFIX) || !name.endsWith(OWNER_ENDING)) continue
    const owner = join(tmpdir(), name)
    const folder = owner.slice(0, -OWNER_ENDING.length)
    if (isOurs(folder) || !(await isAbandoned(owner))) continue
    // What is no folder of this user's is not removed: the temporary folder is everybody's.
    if (await isOwn(folder, 'folder')) await remove(folder).catch(() => {})
    await rm(owner).catch(() => {})
  }
}

async function isAbandoned(owner: string): Promise<boolean> {
  if (!(await isOwn(owner, 'file'))) return false
  try {
    const { pid, host } = JSON.parse(await readFile(owner, 'utf8'))
    const isHere = typeof pid === 'number' && host === hostname()
    // In a container that was started again, another process had our number.
    return isHere && (pid === process.pid || !isRunning(pid))
  } catch {
    return false
  }
}

async function isOwn(path: string, kind: 'file' | 'folder'): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined)
  const isKind = kind === 'file' ? stats?.isFile() : stats?.isDirectory()
  return isKind === true && (process.getuid === undefined || stats?.uid === process.getuid())
}
