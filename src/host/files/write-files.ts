import { createHash } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  fsync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { lazily } from '../../lib/lazily.ts'
import { draftName, parseDraftName } from '../../lib/paths.ts'
import { isRunning } from '../processes/is-running.ts'

const synced = promisify(fsync)

/** Creates a file and its parent folders; throws when the file exists. */
export async function writeNew(path: string, text: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: 'wx' })
}

/**
 * Writes a draft and renames it, so that readers see the old file or the new one. Never replaces a pipe or a device.
 * Only what waits for the disk waits in a thread: any other call takes less time than the way there and back.
 */
export async function writeAtomically(path: string, text: string | AsyncIterable<string>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  requireReplaceable(path)
  const draft = draftPath(path)
  try {
    const file = openNew(draft)
    try {
      if (typeof text === 'string') appendFileSync(file, text)
      else for await (const part of text) appendFileSync(file, part)
      await synced(file)
    } finally {
      closeSync(file)
    }
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function requireReplaceable(path: string): void {
  for (const look of [lstatSync, statSync]) {
    const stats = look(path, { throwIfNoEntry: false })
    if (stats && !stats.isFile() && !stats.isSymbolicLink() && !stats.isDirectory())
      throw new Error(`${path} is not a regular file`)
  }
}

/** Opens a new file in place of an existing one or a link, without following the link. */
export function openNew(path: string): number {
  rmSync(path, { force: true })
  return openSync(path, 'wx')
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
