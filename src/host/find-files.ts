import { realpath } from 'node:fs/promises'
import type { FilesBelow, GlobOptions } from '../model/host.ts'
import { filesBelow } from './files-below.ts'

/** Files below a folder, by their names. */
export async function findBelow(folder: string, isWanted: (name: string) => boolean): Promise<FilesBelow> {
  const { files, closed } = await filesBelow(folder, isWanted)
  return { files: await withoutSecondLinks(files), closed }
}

/** No path is longer; the matcher throws at what is ten times as long, where nobody can catch it. */
const LONGEST_PATTERN = 4096

/** Files that match patterns. */
export async function findMatching(patterns: readonly string[], { cwd, exact }: GlobOptions): Promise<string[]> {
  const possible = patterns.filter(({ length }) => length <= LONGEST_PATTERN)
  // Without any pattern, all files would match.
  if (possible.length === 0) return []
  const { glob } = await import('tinyglobby')
  const options = { cwd, absolute: true, ignore: ['**/node_modules/**'], expandDirectories: !exact }
  const files = await glob(possible, options)
  return withoutSecondLinks(files.sort())
}

/** A file that several links lead to counts once, under its own path where that is among them. */
async function withoutSecondLinks(paths: readonly string[]): Promise<string[]> {
  const shown = new Map<string, string>()
  for (const path of paths) {
    // A file that is gone again, or may not be looked at, stays under the path that led to it: reading it says so.
    const real = await realpath(path).catch(() => path)
    if (path === real || !shown.has(real)) shown.set(real, path)
  }
  const kept = new Set(shown.values())
  return paths.filter(path => kept.has(path))
}
