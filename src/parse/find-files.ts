import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { isBelow } from '../lib/paths.ts'
import { couldMatchBelow, isGlob, staticBase } from '../lib/patterns.ts'
import type { Host } from '../model/host.ts'
import type { FileStat, FilesBelow } from '../model/host-files.ts'
import {
  BASELINES_FOLDER,
  CONFIG_NAMES,
  isBaselineFile,
  isConfigFile,
  isSuiteName,
  isTargetsFile,
  SETTINGS_FOLDERS,
  SUITE_NAMES,
  TARGETS_NAMES,
} from './file-names.ts'
import { findEvals, isCaseFile, rejectCaseFile } from './plugin-evals/find-evals.ts'
import type { SuiteCopy } from './suite/drop-copies.ts'
import { filterDatasets } from './suite/find-datasets.ts'

export interface FoundFiles {
  /** Without duplicates, in the order of the arguments. */
  readonly files: readonly string[]
  /** Files given as arguments, as opposed to those found in folders or by globs. */
  readonly named: ReadonlySet<string>
  /** Arguments that match no files. */
  readonly nothing: readonly string[]
  /** File names and globs of suites that were searched for in folders. */
  readonly names: readonly string[]
  /** Folders that cannot be read. */
  readonly closed: readonly string[]
  /** Suites that are excluded because others contain their tests. */
  readonly copies?: readonly SuiteCopy[]
}

/**
 * Finds the suites that arguments name: files as given; in folders and by globs, files with the name of a suite.
 * With `patterns`, these globs decide which files in folders are suites.
 */
export function findSuites(args: readonly string[], host: Host, patterns?: readonly string[]): Promise<FoundFiles> {
  return find(args, host, {
    names: patterns,
    isWanted: isSuiteName,
    below: folder => findSuitesBelow(folder, host, patterns),
  })
}

/** Finds suites and other files to check: targets files, configurations, and datasets that a glob matches. */
export function findCheckable(args: readonly string[], host: Host, patterns?: readonly string[]): Promise<FoundFiles> {
  return find(args, host, {
    names: patterns,
    isWanted: file =>
      isSuiteName(file) || isTargetsFile(file) || isConfigFile(file) || isBaselineFile(file) || file.endsWith('.jsonl'),
    below: async folder => {
      const { files: suites, closed } = await findSuitesBelow(folder, host, patterns)
      const misses = patterns !== undefined && suites.length === 0
      return { files: [...suites, ...(await findSettingsBeside(folder, suites, host))], closed, misses }
    },
  })
}

interface ArgumentFiles extends FilesBelow {
  /** Whether the configured globs match no suites. */
  readonly misses?: boolean
  /** The file, if the argument is one. */
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
    const found = await findArgument(arg, host, search)
    if (found.files.length === 0 || found.misses) nothing.push(arg)
    for (const file of found.files) files.add(file)
    if (found.named !== undefined) named.add(found.named)
    closed.push(...found.closed)
  }
  return { files: [...files], named, nothing, names: search.names ?? SUITE_NAMES, closed }
}

async function findArgument(arg: string, host: Host, { isWanted, below }: Search): Promise<ArgumentFiles> {
  const path = resolve(host.cwd, arg)
  const stat = await host.files.stat(path).catch(() => undefined)
  if (stat?.kind === 'folder') return below(path)
  // A missing path is kept, so that reading it reports the error.
  if (stat || !isGlob(arg)) {
    if (stat) await rejectCaseFile(path, host)
    return { files: [path], named: path, closed: [] }
  }
  const matches = await host.files.glob([arg, `${arg}/**`], { cwd: host.cwd })
  const closed = await findUnreadableFolders(`${arg}/**`, host.cwd, host)
  const files = await filterWanted(matches, isWanted, host)
  const start = resolve(host.cwd, staticBase(arg))
  const evals = await findEvals([...files, ...matches.filter(isCaseFile)], { host, start, canBeEvals: false })
  return { files: [...files, ...evals], closed }
}

async function findSuitesBelow(folder: string, host: Host, patterns?: readonly string[]): Promise<FilesBelow> {
  if (!patterns) {
    const isPossible = (name: string) => isSuiteName(name) || name.endsWith('.jsonl') || isCaseFile(name)
    const { files, closed } = await host.files.findBelow(folder, isPossible)
    const suites = await filterWanted(files, isSuiteName, host)
    const found = [...suites, ...files.filter(isCaseFile)]
    const evals = await findEvals(found, { host, start: folder, canBeEvals: true })
    return { files: [...suites, ...evals], closed }
  }
  const named = new Set(await host.files.glob(patterns, { cwd: folder, exact: true }))
  const files = await host.files.glob(patterns, { cwd: folder })
  // A file that a glob matches is a suite; in a folder that it matches, suites are found by name.
  const wanted = await filterWanted(files, file => named.has(file) || isSuiteName(file), host)
  const evals = await findEvals([...new Set([...wanted, ...files])], { host, start: folder, canBeEvals: false })
  const isOther = (file: string) => !isTargetsFile(file) && !(isCaseFile(file) && isInside(file, evals))
  const closed = await Promise.all(
    patterns.filter(isWantedPattern).map(pattern => findUnreadableFolders(`${pattern}/**`, folder, host)),
  )
  return { files: [...wanted.filter(isOther), ...evals], closed: [...new Set(closed.flat())] }
}

function isInside(file: string, folders: readonly string[]): boolean {
  return folders.some(folder => isBelow(file, folder))
}

/** Whether a glob includes files instead of excluding them. */
function isWantedPattern(pattern: string): boolean {
  return !pattern.startsWith('!')
}

/** Filters files with a wanted name and datasets with a sidecar. */
async function filterWanted(
  files: readonly string[],
  isWanted: (file: string) => boolean,
  host: Host,
): Promise<readonly string[]> {
  const others = files.filter(file => !isWanted(file))
  const datasets = new Set(await filterDatasets(others, host))
  return files.filter(file => isWanted(file) || datasets.has(file))
}

/** Finds targets files and configurations of a folder and of the folders of its suites. */
async function findSettingsBeside(folder: string, suites: readonly string[], host: Host): Promise<string[]> {
  const homes = [...new Set([folder, ...suites.map(suite => dirname(suite))])]
  const folders = homes.flatMap(home => ['', ...SETTINGS_FOLDERS].map(settings => join(home, settings)))
  const candidates = [
    ...folders.flatMap(folder => TARGETS_NAMES.map(name => join(folder, name))),
    ...homes.flatMap(home => CONFIG_NAMES.map(name => join(home, '.assay', name))),
  ]
  const baselines = await Promise.all(homes.map(home => listBaselines(join(home, '.assay'), host)))
  const stats = await Promise.all(candidates.map(path => host.files.stat(path).catch(() => undefined)))
  return [...candidates.filter((_, index) => isNonFolder(stats[index])), ...baselines.flat()]
}

/** Absolute paths of the baselines in a settings folder, sorted. */
export async function listBaselines(settingsFolder: string, host: Host): Promise<string[]> {
  const folder = join(settingsFolder, BASELINES_FOLDER)
  const names = await host.files.listNames(folder).catch(() => [])
  return names.map(name => join(folder, name)).filter(isBaselineFile)
}

/** Whether a path exists and is not a folder. A pipe counts, so that reading it reports an error. */
export function isNonFolder(stat: FileStat | undefined): boolean {
  return stat !== undefined && stat.kind !== 'folder'
}

/** Finds the unreadable folders that may contain matches of a glob. */
export async function findUnreadableFolders(glob: string, cwd: string, host: Host): Promise<readonly string[]> {
  const names = posix.normalize(glob).split('/')
  const first = names.findIndex(isGlob)
  if (first < 0) return []
  const start = resolve(cwd, names.slice(0, first).join('/') || (glob.startsWith('/') ? '/' : '.'))
  if ((await host.files.stat(start).catch(() => undefined))?.kind !== 'folder') return []
  const rest = names.slice(first).join('/')
  // Globs with other special characters may match anywhere.
  const isSimple = !/[[\]{}()!\\]/.test(rest)
  const { closed } = await host.files.findBelow(start, () => false)
  return closed.filter(folder => !isSimple || couldMatchBelow(rest, relative(start, folder).replaceAll(sep, '/')))
}
