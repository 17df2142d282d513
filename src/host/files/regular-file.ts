import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Flags that not every system has. Without waiting, a pipe is opened whether or not it has a writer. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants

const READ = constants.O_RDONLY | O_NONBLOCK

const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | O_NOFOLLOW | O_NONBLOCK

/** Opens a file for reading. A pipe or a device is an error, not a wait for its writer. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const file = await open(path, READ)
  try {
    requireRegular(await file.stat(), path)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** The same at once, also for a lock, which must not be a link either. */
export function openRegularFileSync(path: string, { follow = true } = {}): number {
  return checkRegular(openSync(path, follow ? READ : READ | O_NOFOLLOW), path)
}

/** Opens a file for reading and adding to it, and makes it where it is missing. Links are not followed. */
export function openForAppendSync(path: string): number {
  return checkRegular(openSync(path, APPEND, 0o666), path)
}

/** All of a regular file. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const file = await openRegularFile(path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** What is said of a link where a file must be. */
export function throwIfLink(path: string): (error: NodeJS.ErrnoException) => never {
  return error => {
    throw error.code === 'ELOOP' ? fileError('ELOOP', `${path} is a symbolic link, not a regular file`, path) : error
  }
}

function checkRegular(file: number, path: string): number {
  try {
    requireRegular(fstatSync(file), path)
    return file
  } catch (error) {
    closeSync(file)
    throw error
  }
}

function requireRegular(stats: Stats, path: string): void {
  if (stats.isFile()) return
  throw stats.isDirectory()
    ? fileError('EISDIR', `EISDIR: illegal operation on a directory, read '${path}'`, path)
    : fileError('ENOTSUP', `${path} is not a regular file`, path)
}

function fileError(code: string, message: string, path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(message), { code, syscall: 'open', path })
}

/** Reads from an offset of a file into bytes, as many as there are and fit: a system may give them in parts. */
export function readFully(file: number, bytes: Buffer, offset: number): number {
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, offset + length)
    if (read === 0) break
    length += read
  }
  return length
}
