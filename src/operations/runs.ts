import { basename, dirname, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import { UserError } from '../model/user-error.ts'
import { findRun, latestRun } from '../record/find-run.ts'
import { isRunFilter, matchesRun, type RunEntry, type RunFilter, listRuns as readRuns } from '../record/list-runs.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { type OpenRun, readRun } from '../record/read-run.ts'
import { folderSize, type Removal, removeRuns as removeEntries } from '../record/remove-runs.ts'
import { RunError } from '../record/run-error.ts'
import { type Outcome, outcomeOf } from '../report/outcome/run-outcome.ts'
import { openRun } from './open-run.ts'

export interface RunsOptions {
  readonly filter: RunFilter
  /** Where runs are kept. Default: `.assay/runs`. */
  readonly runs_dir?: string | undefined
}

/** A run in a list. */
export interface ListedRun extends RunEntry {
  /** Undefined if its results cannot be read. */
  readonly outcome: Outcome | undefined
}

export interface RunList {
  readonly runs_folder: string
  readonly runs: readonly ListedRun[]
  /** How many older ones match besides. */
  readonly more: number
  /** How many do not match. */
  readonly others: number
}

/** Lists runs, newest first. Only the results of those that are listed are read. */
export async function listRuns(
  { filter, runs_dir, limit }: RunsOptions & { readonly limit: number },
  host: Host,
): Promise<RunList> {
  const { runs_folder } = await findProjectFolders(runs_dir, host)
  const all = await readRuns(runs_folder, host)
  const found = matching(all, filter, host)
  const runs: ListedRun[] = []
  for (const entry of found.slice(0, limit)) runs.push({ ...entry, outcome: await outcomeIn(entry, host) })
  return { runs_folder, runs, more: found.length - runs.length, others: all.length - found.length }
}

function matching(entries: readonly RunEntry[], filter: RunFilter, host: Host): RunEntry[] {
  const now = host.clock.now()
  return entries.filter(entry => matchesRun(entry, filter, now))
}

/** The outcome of a run; undefined if its records cannot be read. */
async function outcomeIn({ folder, is_run }: RunEntry, host: Host): Promise<Outcome | undefined> {
  if (!is_run) return undefined
  let run: OpenRun | undefined
  try {
    run = await readRun(await findRun(folder, dirname(folder), host), host)
    return outcomeOf(run)
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  } finally {
    run?.close()
  }
}

/** A run with its size on disk. */
export interface ShownRun {
  readonly run: OpenRun
  readonly outcome: Outcome
  readonly folder: string
  readonly bytes: number
  /** The live process that works on it. */
  readonly holder: string | undefined
}

/** Opens a run and measures it. */
export async function showRun(name: string, runsDir: string | undefined, host: Host): Promise<ShownRun> {
  const { runs_folder } = await findProjectFolders(runsDir, host)
  const { folder } = await findRun(name, runs_folder, host)
  const run = await openRun(name, runsDir, host)
  const holder = await host.locks.holder(resolve(folder, 'lock')).catch(() => undefined)
  return { run, outcome: outcomeOf(run), folder, bytes: (await folderSize(folder, host)) ?? 0, holder }
}

/** What was removed, or with `dry_run` what would be. */
export interface RemovedRuns {
  readonly runs_folder: string
  readonly removals: readonly Removal[]
}

export interface RemoveOptions extends RunsOptions {
  /** Ids of runs, or unique beginnings of them, instead of a filter. */
  readonly names?: readonly string[] | undefined
  /** With a filter: how many of the newest runs that match stay. */
  readonly keep?: number | undefined
  readonly dry_run?: boolean | undefined
}

/** Removes the named runs, or those that match a filter; never all of them by an empty request. */
export async function removeRuns(options: RemoveOptions, host: Host): Promise<RemovedRuns> {
  const { names = [], filter, keep, dry_run } = options
  const isFiltered = isRunFilter(filter)
  if (names.length === 0 && !isFiltered && keep === undefined)
    throw new UserError('No runs given.', 'Name runs, or select them with --label, --commit, --branch or --older-than.')
  if (names.length > 0 && isFiltered)
    throw new UserError('Runs are named and selected at once.', 'Name runs, or select them with options, but not both.')
  const { runs_folder } = await findProjectFolders(options.runs_dir, host)
  const runs = names.length > 0 ? await named(names, runs_folder, host) : await oldest(options, runs_folder, host)
  const removals = dry_run ? await forecast(runs, host) : await removeEntries(runs, runs_folder, host)
  return { runs_folder, removals }
}

/** Runs that match, but for the newest ones that are kept. Their age is known: others are only removed by name. */
async function oldest({ filter, keep = 0 }: RemoveOptions, runsFolder: string, host: Host): Promise<RunEntry[]> {
  const found = matching(await readRuns(runsFolder, host), filter, host)
  return found.filter(({ is_run, started }) => is_run && started !== undefined).slice(keep)
}

/** The named runs, each once. Throws before anything is removed. */
async function named(names: readonly string[], runsFolder: string, host: Host): Promise<RunEntry[]> {
  const entries = await readRuns(runsFolder, host)
  const found = new Set<RunEntry>()
  for (const name of names) found.add(await entryNamed(name, entries, runsFolder, host))
  return [...found]
}

async function entryNamed(
  name: string,
  entries: readonly RunEntry[],
  runsFolder: string,
  host: Host,
): Promise<RunEntry> {
  const path = resolve(host.cwd, name)
  const id =
    name === 'latest' ? await latestRun(runsFolder, host) : dirname(path) === runsFolder ? basename(path) : name
  const exact = entries.find(entry => entry.id === id)
  const matches = exact ? [exact] : id ? entries.filter(entry => entry.is_run && entry.id.startsWith(id)) : []
  const [first, ...others] = matches
  if (!first)
    throw new RunError(
      `Run ${name} not found in ${runsFolder}.`,
      'List the runs with `assay runs`. Nothing was removed.',
    )
  if (others.length > 0)
    throw new RunError(
      `Several runs start with ${name}: ${matches.map(({ id }) => id).join(', ')}.`,
      'Nothing was removed.',
    )
  if (!first.is_run)
    throw new RunError(`${first.folder} is ${first.problem}, so it is not removed.`, 'Nothing was removed.')
  return first
}

async function forecast(runs: readonly RunEntry[], host: Host): Promise<Removal[]> {
  const removals: Removal[] = []
  for (const { id, folder, holder } of runs) {
    if (holder !== undefined) removals.push({ kind: 'in-use', id, holder })
    else removals.push({ kind: 'removed', id, bytes: (await folderSize(folder, host)) ?? 0 })
  }
  return removals
}
