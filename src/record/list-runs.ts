import { basename, join } from 'node:path'
import { millisecondsOf } from '../lib/dates.ts'
import type { Host } from '../model/host.ts'
import type { RunInfo } from '../model/run-info.ts'
import { isUnfinished } from './find-run.ts'
import { runHolder } from './live-files.ts'
import { cannotRead } from './run-error.ts'
import { readRunInfo } from './run-folder.ts'

/** A folder or link in the folder of the runs. */
export interface RunEntry {
  /** The name of the folder: the id of the run. */
  readonly id: string
  readonly folder: string
  /** Whether it has the records of a run, readable or not. */
  readonly is_run: boolean
  readonly info: RunInfo | undefined
  /** Start of the run; by its id if `run.json` cannot be read. */
  readonly started: string | undefined
  /** Why it is not a run, or has no readable `run.json`. */
  readonly problem: string | undefined
  /** The live process that works on it. */
  readonly holder: string | undefined
}

/** Reads `run.json` of all runs in a folder, newest first. Results are not read. */
export async function listRuns(runsFolder: string, host: Host): Promise<RunEntry[]> {
  const stat = await host.files.stat(runsFolder).catch(cannotRead(runsFolder))
  if (stat === undefined) return []
  const found = await host.files.listEntries(runsFolder).catch(cannotRead(runsFolder))
  const entries: RunEntry[] = []
  for (const { name, kind } of found)
    if (kind === 'folder' || kind === 'link') entries.push(await readRunEntry(join(runsFolder, name), kind, host))
  return entries.sort(byStart)
}

/** Reads `run.json` of a folder, or says why it is not a run. */
export async function readRunEntry(folder: string, kind: 'folder' | 'link', host: Host): Promise<RunEntry> {
  const id = basename(folder)
  const none = { id, folder, is_run: false, info: undefined, started: undefined, holder: undefined }
  if (kind === 'link') return { ...none, problem: 'a link, which is not followed' }
  const holder = await runHolder(folder, host)
  if (isUnfinished(id)) return { ...none, holder, problem: 'an unfinished merge or removal' }
  const names = await host.files.listNames(folder).catch(() => undefined)
  if (!names) return { ...none, holder, problem: 'a folder that cannot be read' }
  if (!names.includes('run.json') && !names.includes('results.jsonl'))
    return { ...none, holder, problem: names.length === 0 ? 'an empty folder' : 'not a run' }
  const run = { ...none, is_run: true, holder, started: startOf(id) }
  try {
    const info = await readRunInfo(folder, host)
    if (!info) return { ...run, problem: 'no run.json' }
    const started = millisecondsOf(info.started) === undefined ? run.started : info.started
    return { ...run, info, started, problem: undefined }
  } catch (error) {
    return {
      ...run,
      problem: (error as Error).message.endsWith('is damaged.') ? 'damaged run.json' : 'unreadable run.json',
    }
  }
}

/** The start of a run by its id, `20261115-093000-abcd`; undefined for any other name. */
function startOf(id: string): string | undefined {
  const time = id.replace(/^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-[a-z]{4}$/, '$1-$2-$3T$4:$5:$6.000Z')
  return time === id || millisecondsOf(time) === undefined ? undefined : time
}

/** Newest first; what has no known start comes last, by name. */
export function byStart(a: Pick<RunEntry, 'id' | 'started'>, b: Pick<RunEntry, 'id' | 'started'>): number {
  const [first, second] = [a, b].map(({ started }) => (started === undefined ? 0 : millisecondsOf(started)))
  return (second ?? 0) - (first ?? 0) || (a.id < b.id ? 1 : -1)
}

/** Which runs are meant. A run matches all of it. */
export interface RunFilter {
  readonly label?: string | undefined
  /** The beginning of a commit. */
  readonly commit?: string | undefined
  readonly branch?: string | undefined
  readonly older_than_ms?: number | undefined
  readonly newer_than_ms?: number | undefined
}

/** Whether a filter leaves anything out. */
export function isRunFilter(filter: RunFilter): boolean {
  return Object.values(filter).some(value => value !== undefined)
}

/** Whether a run matches a filter at a time. What is unknown of it does not match. */
export function matchesRun({ info, started }: RunEntry, filter: RunFilter, now: number): boolean {
  const { label, commit, branch, older_than_ms, newer_than_ms } = filter
  const start = started === undefined ? undefined : millisecondsOf(started)
  const age = start === undefined ? undefined : now - start
  return (
    (label === undefined || info?.label === label) &&
    (branch === undefined || info?.git_branch === branch) &&
    (commit === undefined || commitsOf(info).some(known => known.startsWith(commit))) &&
    (older_than_ms === undefined || (age !== undefined && age > older_than_ms)) &&
    (newer_than_ms === undefined || (age !== undefined && age < newer_than_ms))
  )
}

/** All commits at which attempts of a run were made. */
function commitsOf(info: RunInfo | undefined): string[] {
  const states = info ? [info, ...(info.resumes ?? []), ...(info.merged_from ?? [])] : []
  return states.flatMap(({ git_commit }) => git_commit ?? [])
}
