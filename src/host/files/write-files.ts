import { createHash } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { lazily } from '../../lib/lazily.ts'
import { draftName, parseDraftName } from '../../lib/paths.ts'
import { ifNotFound } from '../../lib/system-error.ts'
import { isRunning } from '../processes/is-running.ts'

/** Creates a file and its parent folders; throws when the file exists. */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { flag: 'wx' })
}

/** Writes a draft and renames it, so that readers see the old file or the new one. Never replaces a pipe or a device. */
export async function writeAtomically(path: string, text: string | AsyncIterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await requireReplaceable(path)
  const draft = draftPath(path)
  try {
    const file = await openNew(draft)
    try {
      for await (const part of typeof text === 'string' ? [text] : text) await file.appendFile(part)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function requireReplaceable(path: string): Promise<void> {
  for (const look of [lstat, stat]) {
    const stats = await look(path).catch(ifNotFound(undefined))
    if (stats && !stats.isFile() && !stats.isSymbolicLink() && !stats.isDirectory())
      throw new Error(`${path} is not a regular file`)
  }
}

/** Opens a new file in place of an existing one or a link, without following the link. */
export async function openNew(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx')
}

/** Distinguishes the drafts of this machine in shared folders. */
const machineHash = lazily(() => createHash('sha256').update(hostname()).digest('hex').slice(0, 8))

let drafts = 0

/** Returns the path of a draft, which contains the process that writes it. */
export function draftPath(file: string): string {
  return draftName({ file, machine: machineHash(), pid: process.pid }, drafts++)
}

/** Whether a file is a draft of a dead process of this machine. */
export function isAbandonedDraft(name: string): boolean {
  const draft = parseDraftName(name)
  return draft !== undefined && draft.machine === machineHash() && draft.pid !== process.pid && !isRunning(draft.pid)
}
