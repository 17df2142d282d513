import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import type { FolderEntry } from '../model/host.ts'

/** What is in a folder, by name. */
export async function readEntries(folder: string): Promise<FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  return entries.map(entry => ({ name: entry.name, kind: kindOf(entry) })).sort(byName)
}

function kindOf(entry: Dirent): FolderEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'folder'
  return entry.isFile() ? 'file' : 'other'
}

function byName(a: FolderEntry, b: FolderEntry): number {
  return a.name < b.name ? -1 : 1
}
