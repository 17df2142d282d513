import { dirname, join, sep } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import type { Host } from '../../model/host.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import type { ObservedFiles } from './observe-files.ts'

/** The most folders that a search adds, nearest first: operating systems limit the number of watchers. */
const MOST_SEARCHED = 4000

/** The folders in which a change may concern a plan: those of the files that it was made from, and searched ones. */
export async function watchedFolders(
  observed: ObservedFiles,
  { root, runs_folder }: ProjectFolders,
  host: Host,
): Promise<Set<string>> {
  const isWanted = (folder: string) => !isBelow(folder, runs_folder) && !folder.split(sep).includes('node_modules')
  // Paths outside of the project that are only looked for are programs of the system and the like.
  const files = [...observed.read, ...[...observed.looked_for].filter(path => isBelow(path, root))]
  const folders = new Set(files.map(path => dirname(path)).filter(isWanted))
  for (const folder of await foldersOfLinks(observed.read, host)) if (isWanted(folder)) folders.add(folder)
  for (const folder of await foldersBelow([...observed.searched].filter(isWanted), host)) folders.add(folder)
  return folders
}

/** An edit of a file that a link leads to happens in another folder. */
async function foldersOfLinks(files: Iterable<string>, host: Host): Promise<string[]> {
  const real = await Promise.all(Array.from(files, path => host.files.realPath(path).catch(() => undefined)))
  return real.flatMap(path => (path === undefined ? [] : [dirname(path)]))
}

/** The folders and all folders below them, without `node_modules` and dot-folders; searches skip those too. */
async function foldersBelow(starts: readonly string[], host: Host): Promise<Set<string>> {
  const found = new Set(starts)
  for (const folder of found) {
    const entries = await host.files.listEntries(folder).catch(() => [])
    for (const { name, kind } of entries) {
      if (found.size >= MOST_SEARCHED) return found
      if (kind === 'folder' && !name.startsWith('.') && name !== 'node_modules') found.add(join(folder, name))
    }
  }
  return found
}
