import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { chmod, lstat, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { isRunning } from '../processes/is-running.ts'
import { readNames } from './read-files.ts'
import { isAbandonedDraft } from './write-files.ts'

const PREFIX = 'assay-'

/** The extension of the file that names the process of a temporary folder, until the folder is kept or removed. */
const OWNER_ENDING = '.owner'

/** Folders that are removed when this process exits. */
const folders = new Set<string>()

export async function makeTemporaryFolder(): Promise<string> {
  if (folders.size === 0) process.off('exit', removeAll).on('exit', removeAll)
  const folder = await mkdtemp(join(tmpdir(), PREFIX))
  folders.add(folder)
  // Without an owner file, the folder only survives a crash.
  await writeFile(ownerOf(folder), JSON.stringify({ pid: process.pid, host: hostname() }), { flag: 'wx' }).catch(
    () => {},
  )
  return folder
}

export function keepTemporaryFolder(path: string): void {
  if (folders.delete(path)) rmSync(ownerOf(path), { force: true })
}

/** Whether this process created a folder, and has neither kept nor removed it. */
function isOurs(path: string): boolean {
  return folders.has(path)
}

function ownerOf(folder: string): string {
  return `${folder}${OWNER_ENDING}`
}

/** Removes a file or folder; does nothing if it does not exist. */
export async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    await makeRemovable(path)
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
  keepTemporaryFolder(path)
}

/** Removes a temporary folder of this or an earlier process; returns whether it was one. */
export async function removeTemporaryFolder(path: string): Promise<boolean> {
  const isOurs = await isTemporary(path)
  if (isOurs) await remove(path)
  return isOurs
}

/** Whether a temporary folder of this or an earlier process exists; a link does not count. */
export async function hasTemporaryFolder(path: string): Promise<boolean> {
  return (await isTemporary(path)) && (await lstat(path)).isDirectory()
}

/** Whether a path is that of a temporary folder of this or an earlier process. */
export async function isTemporary(path: string): Promise<boolean> {
  if (folders.has(path)) return true
  if (!basename(path).startsWith(PREFIX)) return false
  const [folder, temporary] = await Promise.all([dirname(path), tmpdir()].map(each => realpath(each).catch(() => each)))
  return folder === temporary
}

/** Makes the folders below a folder writable, without following links. */
async function makeRemovable(folder: string): Promise<void> {
  await chmod(folder, 0o700)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeRemovable(join(folder, entry.name))
  }
}

function removeAll(): void {
  for (const folder of folders) {
    try {
      makeRemovableSync(folder)
      rmSync(folder, { recursive: true, force: true })
      rmSync(ownerOf(folder), { force: true })
    } catch {
      // Go on with the other folders.
    }
  }
}

function makeRemovableSync(folder: string): void {
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeRemovableSync(join(folder, entry.name))
  }
}

/** Removes what killed processes left: drafts in a folder, and temporary folders. Ignores errors. */
export async function removeLeftovers(folder: string): Promise<void> {
  await Promise.all([removeDrafts(folder), removeAbandonedFolders()])
}

async function removeDrafts(folder: string): Promise<void> {
  const names = await readNames(folder).catch(() => [])
  for (const name of names.filter(isAbandonedDraft)) await rm(join(folder, name)).catch(() => {})
}

/** Removes temporary folders of dead processes. */
async function removeAbandonedFolders(): Promise<void> {
  const names = await readNames(tmpdir()).catch(() => [])
  for (const name of names) {
    if (!name.startsWith(PREFIX) || !name.endsWith(OWNER_ENDING)) continue
    const owner = join(tmpdir(), name)
    const folder = owner.slice(0, -OWNER_ENDING.length)
    if (isOurs(folder) || !(await isAbandoned(owner))) continue
    // Other users share the temporary folder: remove only what this user owns.
    if (await isOwn(folder, 'folder')) await remove(folder).catch(() => {})
    await rm(owner).catch(() => {})
  }
}

async function isAbandoned(owner: string): Promise<boolean> {
  if (!(await isOwn(owner, 'file'))) return false
  try {
    const { pid, host } = JSON.parse(await readFile(owner, 'utf8'))
    const isHere = typeof pid === 'number' && host === hostname()
    // After a restart of a container, an earlier process may have had this pid.
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
