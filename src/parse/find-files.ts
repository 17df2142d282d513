import { basename, dirname, join, resolve } from 'node:path'
import { isGlob } from '../lib/is-glob.ts'
import type { FilesBelow, Host } from '../model/host.ts'

/** Names under which a suite is found without being named. */
export const SUITE_NAMES = ['EVAL.yaml', 'EVAL.yml', '*.eval.yaml', '*.eval.yml']

export const TARGETS_NAMES = ['targets.yaml', 'targets.yml']

export const SETTINGS_FOLDERS = ['.assay', '.agentv']

export interface Found {
  /** Each once, in the order of the arguments. */
  readonly files: readonly string[]
  /** Arguments that led to nothing. */
  readonly nothing: readonly string[]
  /** Folders that may not be looked into. */
  readonly closed: readonly string[]
}

/** The suites that arguments name: files as they are; below folders and in patterns, those with the name of a suite. */
export function findSuites(args: readonly string[], host: Host): Promise<Found> {
  return find(args, host, { isWanted: isSuite, below: folder => suitesBelow(folder, host) })
}

/** The same, with what else can be checked: targets files, and datasets that a pattern matches. */
export function findCheckable(args: readonly string[], host: Host): Promise<Found> {
  return find(args, host, {
    isWanted: file => isSuite(file) || isTargetsFile(file) || file.endsWith('.jsonl'),
    below: async folder => {
      const { files: suites, closed } = await suitesBelow(folder, host)
      return { files: [...suites, ...(await targetsBeside(folder, suites, host))], closed }
    },
  })
}

export function isTargetsFile(file: string): boolean {
  return TARGETS_NAMES.includes(basename(file))
}

interface Search {
  isWanted(file: string): boolean
  below(folder: string): Promise<FilesBelow>
}

async function find(args: readonly string[], host: Host, search: Search): Promise<Found> {
  const files = new Set<string>()
  const nothing: string[] = []
  const closed: string[] = []
  for (const arg of args) {
    const found = await findOne(arg, host, search)
    if (found.files.length === 0) nothing.push(arg)
    for (const file of found.files) files.add(file)
    closed.push(...found.closed)
  }
  return { files: [...files], nothing, closed }
}

async function findOne(arg: string, host: Host, { isWanted, below }: Search): Promise<FilesBelow> {
  const path = resolve(host.cwd, arg)
  const stat = await host.stat(path).catch(() => undefined)
  if (stat?.kind === 'folder') return below(path)
  // A path that is not there is handed on: reading it says so.
  if (stat || !isGlob(arg)) return { files: [path], closed: [] }
  const matches = await host.glob([arg, `${arg}/**`], { cwd: host.cwd })
  return { files: matches.filter(isWanted), closed: [] }
}

function suitesBelow(folder: string, host: Host): Promise<FilesBelow> {
  return host.filesBelow(folder, isSuite)
}

/** Targets files beside a folder's suites, in the folder itself, and in the settings of both. */
async function targetsBeside(folder: string, suites: readonly string[], host: Host): Promise<string[]> {
  const homes = new Set([folder, ...suites.map(suite => dirname(suite))])
  const places = [...homes].flatMap(home => ['', ...SETTINGS_FOLDERS].map(settings => join(home, settings)))
  const candidates = places.flatMap(place => TARGETS_NAMES.map(name => join(place, name)))
  const stats = await Promise.all(candidates.map(path => host.stat(path).catch(() => undefined)))
  return candidates.filter((_, index) => stats[index]?.kind === 'file')
}

function isSuite(file: string): boolean {
  return /^EVAL\.ya?ml$|\.eval\.ya?ml$/.test(basename(file))
}
