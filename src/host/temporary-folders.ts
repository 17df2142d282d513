import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

export const PREFIX = 'assay-'

/** The file beside a temporary folder that names its process, until the folder is kept or removed. */
export const OWNER_ENDING = '.owner'

/** Folders that are removed at the latest when we end. */
const folders = new Set<string>()

export async function makeTemporaryFolder(): Promise<string> {
  if (folders.size === 0) process.off('exit', removeAll).on('exit', removeAll)
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  folders.add(folder)
  // Without it, the folder stays after a crash: that is no reason not to go on.
  await writeFile(ownerOf(folder), JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx' }).catch(
    () => {},
  )
  return folder
}

export function keepFolder(path: string): void {
  if (folders.delete(path)) rmSync(ownerOf(path), { force: true })
}

/** Whether this process has made a folder, and has neither kept nor removed it. */
export function isOurs(path: string): boolean {
  return folders.has(path)
}

function ownerOf(folder: string): string {
  return `${folder}${OWNER_ENDING}`
}

/** Removes a file or a folder; nothing where there is none. */
export async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    await letRemove(path)
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
  keepFolder(path)
}

/** Removes a folder that this program has made for a while, now or in an earlier run; no other. */
export async function removeTemporary(path: string): Promise<boolean> {
  const isOurs = await isTemporary(path)
  if (isOurs) await remove(path)
  return isOurs
}

/** Whether a folder is there, and one that this program has made for a while; what a link leads to is none. */
export async function hasTemporary(path: string): Promise<boolean> {
  return (await isTemporary(path)) && (await lstat(path)).isDirectory()
}

/** Whether a folder is one that this program has made for a while, now or in an earlier run. */
export async function isTemporary(path: string): Promise<boolean> {
  if (folders.has(path)) return true
  if (!basename(path).startsWith(PREFIX)) return false
  const [folder, temporary] = await Promise.all([dirname(path), tmpdir()].map(each => realpath(each).catch(() => each)))
  return folder === temporary
}

/** Lets us change the folders below one; links are not followed. */
async function letRemove(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await letRemove(join(folder, entry.name))
  }
}

function removeAll(): void {
  for (const folder of folders) {
    try {
      letRemoveNow(folder)
      rmSync(folder, { recursive: true, force: true })
      rmSync(ownerOf(folder), { force: true })
    } catch {
      // Whatever keeps this one, the others go.
    }
  }
}

function letRemoveNow(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) letRemoveNow(join(folder, entry.name))
  }
}
