import { type FileHandle, readlink, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { ifNotFound } from '../../lib/system-error.ts'
import type { ContainedFile } from '../../model/host-files.ts'
import { openRegularFile } from './regular-file.ts'

/** Reads a file of a folder whose links may have been made to lead out of it, or to be changed while it is read. */
export async function readContained(folder: string, path: string, most: number): Promise<ContainedFile> {
  const root = await realpath(folder)
  const real = await realpath(join(root, path)).catch(ifUnresolved)
  if (real === undefined) return { problem: 'missing' }
  if (!isBelow(real, root)) return { problem: 'outside' }
  const file = await openRegularFile(real, { follow: false }).catch(problemOf)
  if ('problem' in file) return file
  try {
    if (!(await isContained(file, real, root))) return { problem: 'outside' }
    return await readAtMost(file, most)
  } finally {
    await file.close()
  }
}

/** A link that leads to itself resolves to nothing. */
function ifUnresolved(error: NodeJS.ErrnoException): undefined {
  return error.code === 'ELOOP' ? undefined : ifNotFound(undefined)(error)
}

const PROBLEMS: Readonly<Record<string, 'missing' | 'outside' | 'not-a-file'>> = {
  ENOENT: 'missing',
  // It has become a link since it was resolved.
  ELOOP: 'outside',
  EISDIR: 'not-a-file',
  ENOTSUP: 'not-a-file',
  ENXIO: 'not-a-file',
}

function problemOf(error: NodeJS.ErrnoException): { readonly problem: (typeof PROBLEMS)[string] } {
  const problem = PROBLEMS[error.code ?? '']
  if (problem === undefined) throw error
  return { problem }
}

/** Whether the opened file is in the folder: a folder above it may have become a link since it was resolved. */
async function isContained(file: FileHandle, real: string, root: string): Promise<boolean> {
  // Linux tells the path of an open file; elsewhere the path is resolved again.
  const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => realpath(real).catch(() => ''))
  return isBelow(opened, root)
}

async function readAtMost(file: FileHandle, most: number): Promise<ContainedFile> {
  const { size } = await file.stat()
  if (size > most) return { problem: 'too-large' }
  // One byte more, in case it grows.
  const bytes = Buffer.alloc(size + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return length > most ? { problem: 'too-large' } : { bytes: bytes.subarray(0, length) }
}
