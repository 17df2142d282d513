import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Flags that some systems lack. With O_NONBLOCK, opening a pipe does not wait for a writer. */
const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants

const READ = constants.O_RDONLY | O_NONBLOCK

const APPEND = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | O_NOFOLLOW | O_NONBLOCK

/** Opens a file for reading; throws for a pipe or a device instead of waiting for a writer, and without `follow` for a link. */
export async function openRegularFile(path: string | Buffer, { follow = true } = {}): Promise<FileHandle> {
  const file = await open(path, follow ? READ : READ | O_NOFOLLOW)
  try {
    requireRegular(await file.stat(), String(path))
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Like `openRegularFile`, synchronously; without `follow`, throws for a link too. */
export function openRegularFileSync(path: string, { follow = true } = {}): number {
  return checkRegular(openSync(path, follow ? READ : READ | O_NOFOLLOW), path)
}

/** Opens or creates a file for reading and appending, without following links. */
export function openForAppendSync(path: string): number {
  return checkRegular(openSync(path, APPEND, 0o666), path)
}

/** Reads a whole regular file, without a thread, whose calls take longer than most files. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const file = openRegularFileSync(path)
  try {
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** For `catch`: words the error for a link where a regular file is required. */
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

/** Fills a buffer from an offset of a file, as far as the file goes; a single read may be partial. */
export function readFully(file: number, bytes: Buffer, offset: number): number {
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, offset + length)
    if (read === 0) break
    length += read
  }
  return length
}
