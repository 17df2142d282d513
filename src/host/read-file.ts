import { closeSync } from 'node:fs'
import type { ReadFile } from '../model/host.ts'
import { openRegularNow } from './open-regular.ts'
import { readFully } from './read-fully.ts'

/** How much is read at once: parts are mostly asked for one after another. */
const AT_ONCE = 256 * 1024

/** Opens a file for reading in parts. What was read stays as it is; more may be added to the file meanwhile. */
export function openReadFile(path: string): ReadFile {
  let file: number | undefined
  let bytes = Buffer.alloc(0)
  let start = 0
  let end = 0
  const read = (offset: number, length: number) => {
    file ??= openRegularNow(path)
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
