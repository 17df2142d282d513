import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders that are removed at the latest when we end. */
const folders = new Set<string>()

export async function makeTemporaryFolder(): Promise<string> {
  if (folders.size === 0) process.off('exit', removeAll).on('exit', removeAll)
  const folder = await mkdtemp(join(tmpdir(), 'assay-'))
  folders.add(folder)
  return folder
}

export function keepFolder(path: string): void {
  folders.delete(path)
}

/** Removes a file or a folder; nothing where there is none. */
export async function remove(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  folders.delete(path)
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
