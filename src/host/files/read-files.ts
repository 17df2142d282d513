import { accessSync, closeSync, constants, type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { ifNotFound } from '../../lib/system-error.ts'
import type { FileFacts, FileStat, FolderEntry, Line, ReadFile } from '../../model/host-files.ts'
import { factsOf } from './file-facts.ts'
import { openRegularFile, openRegularFileSync, readFully } from './regular-file.ts'

/** Reads up to `most` bytes from the beginning of a file. */
export async function readBeginning(path: string, most: number): Promise<Uint8Array> {
  const file = await openRegularFile(path)
  try {
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, most))
    let length = 0
    while (length < bytes.length) {
      const { bytesRead } = await file.read(bytes, length)
      // The file was truncated in the meantime.
      if (bytesRead === 0) break
      length += bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}

/** Returns the target of a symbolic link as it is written; undefined for anything else. */
export async function readLinkAt(path: string): Promise<string | undefined> {
  return readlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EINVAL') return ifNotFound(undefined)(error)
  })
}

/** The size of a read: parts are mostly read in sequence. */
const AT_ONCE = 256 * 1024

/** Opens a file for reading in parts, with a buffer. The file may only grow meanwhile. */
export function openReadFile(path: string): ReadFile {
  let file: number | undefined
  let bytes = Buffer.alloc(0)
  let start = 0
  let end = 0
  const read = (offset: number, length: number) => {
    file ??= openRegularFileSync(path)
    if (bytes.length < length) bytes = Buffer.alloc(Math.max(AT_ONCE, 2 * length))
    start = offset
    end = offset + readFully(file, bytes, offset)
  }
  return {
    readAt(offset, length) {
      if (offset < start || offset + length > end) read(offset, length)
      return bytes.toString('utf8', offset - start, Math.min(offset + length, end) - start)
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

const NEWLINE = 0x0a

/** Reads the lines of a file with their offsets, the first one at `from`; skips an incomplete last line. */
export async function* readLines(path: string, from = 0): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let offset = from
  const stream = (await openRegularFile(path)).createReadStream({ highWaterMark: 1024 * 1024, start: from })
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const part = chunk.subarray(start, end)
      const bytes = rest.length > 0 ? Buffer.concat([...rest, part]) : part
      yield { text: bytes.toString('utf8'), offset, length: bytes.length }
      offset += bytes.length + 1
      rest = []
      start = end + 1
    }
    if (start < chunk.length) {
      rest.push(chunk.subarray(start))
    }
  }
}

/**
 * Returns the kind and size of what is at a path; undefined if it does not exist. It does not wait for a thread, which
 * takes thirty times as long as the call, and a command begins with a hundred of them.
 */
export async function statOf(path: string): Promise<FileStat | undefined> {
  const stats = statsOf(path)
  if (!stats) return undefined
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
  return { kind, size: stats.size, executable: kind === 'file' && isExecutable(path) }
}

/** Returns what changes with each write of a file; undefined if there is no regular file. */
export async function fileFacts(path: string): Promise<FileFacts | undefined> {
  const stats = statsOf(path)
  return stats?.isFile() ? factsOf(stats) : undefined
}

function statsOf(path: string): Stats | undefined {
  return ifThere(() => statSync(path, { throwIfNoEntry: false }))
}

/** Returns a path without symbolic links; undefined if there is nothing. */
export async function realPathOf(path: string): Promise<string | undefined> {
  return ifThere(() => realpathSync.native(path))
}

/** Lists the names in a folder, sorted; none if there is no folder. */
export async function readNames(folder: string): Promise<string[]> {
  return (ifThere(() => readdirSync(folder)) ?? []).sort()
}

function ifThere<Value>(call: () => Value): Value | undefined {
  try {
    return call()
  } catch (error) {
    return ifNotFound(undefined)(error as NodeJS.ErrnoException)
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Lists the entries of a folder, sorted by name. */
export async function readEntries(folder: string): Promise<FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.map(entry => ({ name: entry.name, kind: kindOf(entry) })).sort(byName)
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

function byName(a: FolderEntry, b: FolderEntry): number {
  return a.name < b.name ? -1 : 1
}
