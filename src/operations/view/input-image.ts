import { isAbsolute } from 'node:path'
import { imageType } from '../../lib/image-type.ts'
import { isMapping } from '../../lib/objects.ts'
import { sha256 } from '../../lib/sha256.ts'
import type { Host } from '../../model/host.ts'
import type { Result } from '../../model/result.ts'
import type { ViewedRun } from './run-store.ts'

/** Larger images are not shown. */
const MOST_BYTES = 10 * 1024 * 1024

export interface InputImage {
  readonly bytes: Uint8Array
  /** Media type by the first bytes. */
  readonly type: string
}

/**
 * An image in the input of a row, by the hash of its file; undefined unless the file is in the project, has the recorded
 * content, and is a bitmap by its first bytes.
 */
export async function inputImage(
  { reader, page }: ViewedRun,
  { index, hash, root }: { readonly index: number; readonly hash: string; readonly root: string },
  host: Host,
): Promise<InputImage | undefined> {
  const [result] = page.results(index) ?? []
  const { info } = reader
  if (!info || !result || !hashesIn(result).has(hash)) return undefined
  // The records of another checkout name files that are not of this project.
  const [own, recorded] = await Promise.all(
    [root, info.root].map(path => host.files.realPath(path).catch(() => undefined)),
  )
  if (own === undefined || own !== recorded) return undefined
  const file = info.test_files?.find(({ sha256, file }) => sha256 === hash && !isAbsolute(file))
  const read = file && (await host.files.readContained(own, file.file, MOST_BYTES).catch(() => undefined))
  if (!read || !('bytes' in read) || sha256(read.bytes) !== hash) return undefined
  const type = imageType(read.bytes)
  return type === undefined ? undefined : { bytes: read.bytes, type }
}

/** The hashes of files in the input. */
function hashesIn({ input }: Result): Set<unknown> {
  const blocks = input.flatMap(message =>
    isMapping(message) && Array.isArray(message['content']) ? message['content'] : [],
  )
  return new Set(
    blocks.flatMap(block => (isMapping(block) && typeof block['sha256'] === 'string' ? [block['sha256']] : [])),
  )
}
