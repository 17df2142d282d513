import { basename, dirname, join, resolve } from 'node:path'
import type { Host } from '../model/host.ts'

/** Names under which a suite is found without being named. */
const SUITE_NAMES = ['EVAL.yaml', 'EVAL.yml', '*.eval.yaml', '*.eval.yml']

const TARGETS_NAMES = ['targets.yaml', 'targets.yml']

const SETTINGS_FOLDERS = ['.assay', '.agentv']

/** The suites that arguments name: files as they are; below folders and in patterns, those with the name of a suite. */
export async function findSuites(args: readonly string[], host: Host): Promise<string[]> {
  return findAll(args, host, folder => suitesBelow(folder, host))
}

/** The same, with the targets files below folders, those of `.assay` and `.agentv` included. */
export async function findCheckable(args: readonly string[], host: Host): Promise<string[]> {
  return findAll(args, host, async folder => {
    const suites = await suitesBelow(folder, host)
    return [...suites, ...(await targetsBelow(folder, suites, host))]
  })
}

export function isTargetsFile(file: string): boolean {
  return TARGETS_NAMES.includes(basename(file))
}

async function findAll(
  args: readonly string[],
  host: Host,
  below: (folder: string) => Promise<string[]>,
): Promise<string[]> {
  const found = new Set<string>()
  for (const arg of args) for (const file of await findOne(arg, host, below)) found.add(file)
  return [...found]
}

async function findOne(
  arg: string,
  host: Host,
  below: (folder: string) => Promise<string[]>,
): Promise<readonly string[]> {
  const path = resolve(host.cwd, arg)
  const stat = await host.stat(path).catch(() => undefined)
  if (stat?.kind === 'folder') return below(path)
  // A path that is not there is handed on: reading it says so.
  if (stat || !/[*?[{]/.test(arg)) return [path]
  const matches = await host.glob([arg, `${arg}/**`], { cwd: host.cwd })
  return matches.filter(match => isSuiteName(basename(match)))
}

async function suitesBelow(folder: string, host: Host): Promise<string[]> {
  return [
    ...(await host.glob(
      SUITE_NAMES.map(name => `**/${name}`),
      { cwd: folder },
    )),
  ]
}

/** Targets files beside a folder's suites, in the folder itself, and in the settings of both. */
async function targetsBelow(folder: string, suites: readonly string[], host: Host): Promise<string[]> {
  const homes = new Set([folder, ...suites.map(suite => dirname(suite))])
  const places = [...homes].flatMap(home => ['', ...SETTINGS_FOLDERS].map(settings => join(home, settings)))
  const candidates = places.flatMap(place => TARGETS_NAMES.map(name => join(place, name)))
  const stats = await Promise.all(candidates.map(path => host.stat(path).catch(() => undefined)))
  return candidates.filter((_, index) => stats[index]?.kind === 'file')
}

function isSuiteName(name: string): boolean {
  return /^EVAL\.ya?ml$|\.eval\.ya?ml$/.test(name)
}
