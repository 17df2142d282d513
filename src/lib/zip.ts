import * as zlib from 'node:zlib'

/** A file of a ZIP archive. */
export interface ZipEntry {
  readonly name: string
  /** Decompresses the file. Throws a ZipError if it is damaged or larger than allowed. */
  read(): Uint8Array
}

export class ZipError extends Error {}

/** Largest decompressed file, in bytes. */
const LARGEST_FILE = 512_000_000

const END_OF_DIRECTORY = 0x06054b50
const ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50

/** Whether data begins like a ZIP archive. */
export function isZip(data: Uint8Array): boolean {
  return data[0] === 0x50 && data[1] === 0x4b && (data[2] === 3 || data[2] === 5)
}

/** Lists the files of a ZIP archive, from its central directory: the newest file of each name. */
export function zipEntries(data: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const end = findEnd(view)
  const count = view.getUint16(end + 10, true)
  let offset = view.getUint32(end + 16, true)
  if (offset === 0xffffffff) throw new ZipError('it is larger than 4 GB')
  const entries = new Map<string, ZipEntry>()
  for (let index = 0; index < count; index++) {
    if (offset + 46 > data.length || view.getUint32(offset, true) !== ENTRY)
      throw new ZipError('its directory is damaged')
    const nameLength = view.getUint16(offset + 28, true)
    const name = new TextDecoder().decode(data.subarray(offset + 46, offset + 46 + nameLength))
    const facts = {
      method: view.getUint16(offset + 10, true),
      packed: view.getUint32(offset + 20, true),
      size: view.getUint32(offset + 24, true),
      start: view.getUint32(offset + 42, true),
    }
    entries.set(name, { name, read: () => readFile(data, view, facts) })
    offset += 46 + nameLength + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true)
  }
  return entries
}

/** The end of the central directory is the last part of an archive, before a comment of up to 64 KiB. */
function findEnd(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff)
  for (let offset = view.byteLength - 22; offset >= first; offset--)
    if (view.getUint32(offset, true) === END_OF_DIRECTORY) return offset
  throw new ZipError('it is not a complete ZIP archive')
}

interface FileFacts {
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly start: number
}

function readFile(data: Uint8Array, view: DataView, { method, packed, size, start }: FileFacts): Uint8Array {
  if (size > LARGEST_FILE) throw new ZipError('a file in it is too large')
  if (start + 30 > data.length || view.getUint32(start, true) !== LOCAL_HEADER)
    throw new ZipError('a file in it is damaged')
  const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true)
  const content = data.subarray(from, from + packed)
  if (content.length !== packed) throw new ZipError('a file in it is cut off')
  try {
    return decompress(content, method)
  } catch (error) {
    throw error instanceof ZipError ? error : new ZipError('a file in it is damaged')
  }
}

/** Zstandard is in Node from 22.15 on. */
const { zstdDecompressSync } = zlib as { zstdDecompressSync?: typeof zlib.inflateRawSync }

function decompress(content: Uint8Array, method: number): Uint8Array {
  const options = { maxOutputLength: LARGEST_FILE }
  if (method === 0) return content
  if (method === 8) return zlib.inflateRawSync(content, options)
  if (method === 93 && zstdDecompressSync) return zstdDecompressSync(content, options)
  if (method === 93) throw new ZipError('it is compressed with Zstandard, which needs Node 22.15 or later')
  throw new ZipError(`it is compressed with the unknown method ${method}`)
}
