import { readSync } from 'node:fs'

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
