import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isBelow } from '../lib/is-below.ts'
import type { FilesBelow } from '../model/host.ts'

/** The files with wanted names in a folder and all below it, links to folders included, each folder once. */
export async function filesBelow(start: string, isWanted: (name: string) => boolean): Promise<FilesBelow> {
  const files: string[] = []
  const closed: string[] = []
  const seen = new Set<string>()
  const open = [start]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const real = await realpath(folder).catch(() => folder as string)
    // A link to where the search began, or above, leads to what is searched already, and to the rest of the disk.
    if (seen.has(real) || (folder !== start && isBelow(start, real))) continue
    seen.add(real)
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
    if (!entries) closed.push(folder)
    for (const entry of entries?.filter(isVisible) ?? []) {
      const path = join(folder, entry.name)
      if (await isFolder(entry, path)) open.push(path)
      else if (isWanted(entry.name)) files.push(path)
    }
  }
  return { files: files.sort(), closed: closed.sort() }
}

function isVisible({ name }: Dirent): boolean {
  return !name.startsWith('.') && name !== 'node_modules'
}

async function isFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory()
  return stat(path).then(
    target => target.isDirectory(),
    () => false,
  )
}
