import { basename, dirname, join, posix, relative, resolve, sep } from 'node:path'
import { couldMatchBelow, isGlob } from '../lib/patterns.ts'
import type { FileStat, FilesBelow, Host } from '../model/host.ts'
import { isSuiteName, SUITE_NAMES } from './file-names.ts'
import type { SuiteCopy } from './suite/drop-copies.ts'
import { filterDatasets } from './suite/find-datasets.ts'

export const TARGETS_NAMES = ['targets.yaml', 'targets.yml']

/** In `.assay` only: a configuration in `.agentv` is that of another tool. */
export const CONFIG_NAMES = ['config.yaml', 'config.yml']

export const SETTINGS_FOLDERS = ['.assay', '.agentv']

export interface FoundFiles {
  /** Each once, in the order of the arguments. */
  readonly files: readonly string[]
  /** Those that an argument names itself; the others were found in folders and by patterns. */
  readonly named: ReadonlySet<string>
  /** Arguments that led to nothing. */
  readonly nothing: readonly string[]
  /** Names and patterns of the suites that were looked for in folders. */
  readonly names: readonly string[]
  /** Folders that may not be looked into. */
  readonly closed: readonly string[]
  /** Suites that are left out, since others have their tests. */
  readonly copies?: readonly SuiteCopy[]
}

/**
 * The suites that arguments name: files as they are; below folders and in patterns, those with the name of a suite.
 * Patterns that are given besides say which files below folders are suites instead.
 */
export function findSuites(args: readonly string[], host: Host, patterns?: readonly string[]): Promise<FoundFiles> {
  return find(args, host, {
    names: patterns,
    isWanted: isSuiteName,
    below: folder => suitesBelow(folder, host, patterns),
  })
}

/** The same, with what else can be checked: targets files, configurations, and datasets that a pattern matches. */
export function findCheckable(args: readonly string[], host: Host, patterns?: readonly string[]): Promise<FoundFiles> {
  return find(args, host, {
    names: patterns,
    isWanted: file => isSuiteName(file) || isTargetsFile(file) || isConfigFile(file) || file.endsWith('.jsonl'),
    below: async folder => {
      const { files: suites, closed } = await suitesBelow(folder, host, patterns)
      const misses = patterns !== undefined && suites.length === 0
      return { files: [...suites, ...(await settingsBeside(folder, suites, host))], closed, misses }
    },
  })
}

export function isTargetsFile(file: string): boolean {
  return TARGETS_NAMES.includes(basename(file))
}

export function isConfigFile(file: string): boolean {
  return CONFIG_NAMES.includes(basename(file)) && basename(dirname(file)) === '.assay'
}

interface ArgumentFiles extends FilesBelow {
  /** Whether nothing that the user asked for is among the files. */
  readonly misses?: boolean
  /** The file that the argument names. */
  readonly named?: string
}

interface Search {
  readonly names: readonly string[] | undefined
  isWanted(file: string): boolean
  below(folder: string): Promise<ArgumentFiles>
}

async function find(args: readonly string[], host: Host, search: Search): Promise<FoundFiles> {
  const files = new Set<string>()
  const named = new Set<string>()
  const nothing: string[] = []
  const closed: string[] = []
  for (const arg of args) {
    const found = await findOne(arg, host, search)
    if (found.files.length === 0 || found.misses) nothing.push(arg)
    for (const file of found.files) files.add(file)
    if (found.named !== undefined) named.add(found.named)
    closed.push(...found.closed)
  }
  return { files: [...files], named, nothing, names: search.names ?? SUITE_NAMES, closed }
}

async function findOne(arg: string, host: Host, { isWanted, below }: Search): Promise<ArgumentFiles> {
  const path = resolve(host.cwd, arg)
  const stat = await host.files.stat(path).catch(() => undefined)
  if (stat?.kind === 'folder') return below(path)
  // A path that is not there is handed on: reading it says so.
  if (stat || !isGlob(arg)) return { files: [path], named: path, closed: [] }
  const matches = await host.files.glob([arg, `${arg}/**`], { cwd: host.cwd })
  const closed = await findUnreadableFolders(`${arg}/**`, host.cwd, host)
  return { files: await wantedAmong(matches, isWanted, host), closed }
}

async function suitesBelow(folder: string, host: Host, patterns?: readonly string[]): Promise<FilesBelow> {
  if (!patterns) {
    const { files, closed } = await host.files.findBelow(folder, name => isSuiteName(name) || name.endsWith('.jsonl'))
    return { files: await wantedAmong(files, isSuiteName, host), closed }
  }
  const named = new Set(await host.files.glob(patterns, { cwd: folder, exact: true }))
  const files = await host.files.glob(patterns, { cwd: folder })
  // A file that a pattern matches is a suite; of a folder that it matches, what has the name of one. Targets may lie among them.
  const wanted = await wantedAmong(files, file => named.has(file) || isSuiteName(file), host)
  const closed = await Promise.all(
    patterns.filter(isWantedPattern).map(pattern => findUnreadableFolders(`${pattern}/**`, folder, host)),
  )
  return { files: wanted.filter(file => !isTargetsFile(file)), closed: [...new Set(closed.flat())] }
}

/** Other patterns leave files out. */
function isWantedPattern(pattern: string): boolean {
  return !pattern.startsWith('!')
}

/** Files with a wanted name, and datasets that have a sidecar, in the order of the files. */
async function wantedAmong(
  files: readonly string[],
  isWanted: (file: string) => boolean,
  host: Host,
): Promise<readonly string[]> {
  const others = files.filter(file => !isWanted(file))
  const datasets = new Set(await filterDatasets(others, host))
  return files.filter(file => isWanted(file) || datasets.has(file))
}

/** Targets files beside a folder's suites, in the folder itself, and in the settings of both; configurations there too. */
async function settingsBeside(folder: string, suites: readonly string[], host: Host): Promise<string[]> {
  const homes = [...new Set([folder, ...suites.map(suite => dirname(suite))])]
  const places = homes.flatMap(home => ['', ...SETTINGS_FOLDERS].map(settings => join(home, settings)))
  const candidates = [
    ...places.flatMap(place => TARGETS_NAMES.map(name => join(place, name))),
    ...homes.flatMap(home => CONFIG_NAMES.map(name => join(home, '.assay', name))),
  ]
  const stats = await Promise.all(candidates.map(path => host.files.stat(path).catch(() => undefined)))
  return candidates.filter((_, index) => isNonFolder(stats[index]))
}

/** Whether something other than a folder is at a path. A pipe counts: reading it is an error, passing over it would not be. */
export function isNonFolder(stat: FileStat | undefined): boolean {
  return stat !== undefined && stat.kind !== 'folder'
}

/** The folders that cannot be looked into, though files in them could match a glob. */
export async function findUnreadableFolders(glob: string, cwd: string, host: Host): Promise<readonly string[]> {
  const names = posix.normalize(glob).split('/')
  const first = names.findIndex(isGlob)
  if (first < 0) return []
  const start = resolve(cwd, names.slice(0, first).join('/') || (glob.startsWith('/') ? '/' : '.'))
  if ((await host.files.stat(start).catch(() => undefined))?.kind !== 'folder') return []
  const rest = names.slice(first).join('/')
  // Globs with other signs could match anywhere.
  const isSimple = !/[[\]{}()!\\]/.test(rest)
  const { closed } = await host.files.findBelow(start, () => false)
  return closed.filter(folder => !isSimple || couldMatchBelow(rest, relative(start, folder).replaceAll(sep, '/')))
}
