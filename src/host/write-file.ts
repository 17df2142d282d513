import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { draftPath } from './draft-path.ts'

/** Writes a new file; throws when one is there already. */
export async function writeNew(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text, { flag: 'wx' })
}

/** Beside its place first, so that a reader sees the old file or the new one. */
export async function writeWhole(path: string, text: string | AsyncIterable<string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const draft = draftPath(path)
  try {
    const file = await openNew(draft)
    try {
      for await (const part of typeof text === 'string' ? [text] : text) await file.appendFile(part)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

/** Opens a new file, in place of what is there: never what a link of that name leads to. */
export async function openNew(path: string): Promise<FileHandle> {
  await rm(path, { force: true })
  return open(path, 'wx')
}
