import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, posix, relative, sep } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import { globCost, globMatcher, widenedGlob } from '../../lib/patterns.ts'
import type { FilesBelow, GlobOptions } from '../../model/host-files.ts'

/** Finds files below a folder by name. */
export async function findBelow(folder: string, isWanted: (name: string) => boolean): Promise<FilesBelow> {
  const { files, closed } = await filesBelow(folder, isWanted)
  return { files: await removeDuplicateLinks(files), closed }
}

/** No path is longer. For much longer patterns the matcher throws outside of any promise. */
const LONGEST_PATTERN = 4096

/** Finds files by globs. If one of them could take too long to match, nothing is found. */
export async function findMatching(patterns: readonly string[], options: GlobOptions): Promise<string[]> {
  const possible = patterns.filter(({ length }) => length <= LONGEST_PATTERN)
  const costs = new Map(possible.map(pattern => [pattern, globCost(withoutMark(pattern))]))
  // Without patterns, all files would match.
  if (possible.length === 0 || [...costs.values()].includes('endless')) return []
  const [short, long] = ['short', 'long'].map(cost => possible.filter(pattern => costs.get(pattern) === cost))
  const files = await findShort(short ?? [], options)
  for (const pattern of long?.filter(pattern => !isNegated(pattern)) ?? [])
    files.push(...(await findLong(pattern, short?.filter(isNegated) ?? [], options)))
  const unwanted = long?.filter(isNegated).map(pattern => matcherOf(withoutMark(pattern), options)) ?? []
  const wanted = [...new Set(files)].filter(file => !unwanted.some(matches => matches(file)))
  return removeDuplicateLinks(wanted.sort())
}

async function findShort(patterns: readonly string[], { cwd, exact }: GlobOptions, dot = false): Promise<string[]> {
  if (patterns.length === 0) return []
  const { glob } = await import('tinyglobby')
  const ignore = ['**/node_modules/**']
  return glob([...patterns], { cwd, absolute: true, ignore, expandDirectories: !exact, dot })
}

/** Finds candidates with a wider glob, and filters them in linear time. */
async function findLong(pattern: string, negated: readonly string[], options: GlobOptions): Promise<string[]> {
  const wide = withFolders(pattern, options).map(widenedGlob)
  const files = await findShort([...wide, ...negated], options, true)
  return files.filter(matcherOf(pattern, options))
}

function matcherOf(pattern: string, options: GlobOptions): (file: string) => boolean {
  const glob = posix.normalize(pattern)
  const matchers = withFolders(glob, options).map(globMatcher)
  return file => {
    const path = (isAbsolute(glob) ? file : relative(options.cwd, file)).replaceAll(sep, '/')
    return matchers.some(matches => matches(path))
  }
}

/** A matching folder includes everything below it, unless the pattern ends in a star, as in tinyglobby. */
function withFolders(pattern: string, { exact }: GlobOptions): string[] {
  return exact || pattern.endsWith('*') ? [pattern] : [pattern, `${pattern}/**`]
}

/** `!(a|b)` is a group, not a negation. */
function isNegated(pattern: string): boolean {
  return pattern.startsWith('!') && pattern[1] !== '('
}

function withoutMark(pattern: string): string {
  return isNegated(pattern) ? pattern.slice(1) : pattern
}

/** Lists a file once if several links lead to it, preferably under its real path. */
async function removeDuplicateLinks(paths: readonly string[]): Promise<string[]> {
  const pathOf = new Map<string, string>()
  for (const path of paths) {
    // Keep a file that cannot be resolved: reading it reports the error.
    const real = await realpath(path).catch(() => path)
    if (path === real || !pathOf.has(real)) pathOf.set(real, path)
  }
  const kept = new Set(pathOf.values())
  return paths.filter(path => kept.has(path))
}

/** Finds files with wanted names in a folder and below it, following links, each folder once. */
async function filesBelow(start: string, isWanted: (name: string) => boolean): Promise<FilesBelow> {
  const files: string[] = []
  const closed: string[] = []
  const seen = new Set<string>()
  const open = [start]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const real = await realpath(folder).catch(() => folder as string)
    // A link to the start of the search or above it would lead to the rest of the disk.
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
