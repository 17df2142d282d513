import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import type { FileContent } from '../../model/host-files.ts'
import { factsOf } from './file-facts.ts'
import { openRegularFile } from './regular-file.ts'

/** The size of a read. */
const CHUNK_BYTES = 256 * 1024

/** Larger files are not read: a file with holes can have any size. */
const LARGEST_FILE_BYTES = 4 * 1024 ** 3

/** Hashes a regular file without following links, and keeps up to `most` bytes of it; undefined if not readable. */
export async function readContent(
  path: string | Buffer,
  most: number,
  signal?: AbortSignal,
): Promise<FileContent | undefined> {
  const file = await openRegularFile(path, { follow: false }).catch(() => undefined)
  if (!file) return undefined
  try {
    return await contentOf(file, most, signal)
  } catch {
    signal?.throwIfAborted()
    return undefined
  } finally {
    await file.close()
  }
}

/** Reads a file up to the size that it has now: it may grow meanwhile. */
async function contentOf(file: FileHandle, most: number, signal?: AbortSignal): Promise<FileContent | undefined> {
  const facts = factsOf(await file.stat())
  if (facts.size > LARGEST_FILE_BYTES) return undefined
  const hash = createHash('sha256')
  const kept = facts.size <= most ? Buffer.alloc(facts.size) : undefined
  const buffer = kept ?? Buffer.alloc(CHUNK_BYTES)
  let length = 0
  while (length < facts.size) {
    signal?.throwIfAborted()
    const at = kept ? length : 0
    const { bytesRead } = await file.read(buffer, at, Math.min(CHUNK_BYTES, facts.size - length), length)
    // The file was truncated in the meantime.
    if (bytesRead === 0) break
    hash.update(buffer.subarray(at, at + bytesRead))
    length += bytesRead
  }
  return { facts: { ...facts, size: length }, hash: hash.digest('hex'), bytes: kept?.subarray(0, length) }
}
