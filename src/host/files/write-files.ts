import { createHash } from 'node:crypto'
import { type FileHandle, lstat, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { draftName, parseDraftName } from '../../lib/paths.ts'
import { ifNotFound } from '../../lib/system-error.ts'
import { isRunning } from '../processes/is-running.ts'

/** Writes a new file; throws when one is there already. */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { flag: 'wx' })
}

/** Writes a file beside its place first, so that a reader sees the old one or the new one. Never replaces a pipe or a device. */
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

/** Opens a new file, in place of what is there: never what a link of that name leads to. */
export async function openNew(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx')
}

/** Tells drafts of this machine from those of others, where a folder is shared. */
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)

let drafts = 0

/** Where a file is written before it gets its place: with the process that does it in its name. */
export function draftPath(file: string): string {
  return draftName({ file, machine: MACHINE, pid: process.pid }, drafts++)
}

/** Whether a file is a draft of a process of this machine that has ended. */
export function isAbandonedDraft(name: string): boolean {
  const draft = parseDraftName(name)
  return draft !== undefined && draft.machine === MACHINE && draft.pid !== process.pid && !isRunning(draft.pid)
}
