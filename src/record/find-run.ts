import { basename, dirname, join, resolve } from 'node:path'
import { AGGREGATE_FILE } from '../model/aggregate-result.ts'
import type { Host } from '../model/host.ts'
import { cannotRead, RunError, readIfExists } from './run-error.ts'

/** Paths of the records of a run. */
export interface RunFiles {
  readonly folder: string
  readonly results: string
}

/** Finds a run by its id, a unique prefix of it, `latest`, its folder, or a results file. */
export async function findRun(run: string, runsFolder: string, host: Host, from = host.cwd): Promise<RunFiles> {
  const named = run === 'latest' ? undefined : await runAt(resolve(from, run), host)
  if (named) return named
  const wanted = run === 'latest' ? await latestRun(runsFolder, host) : run
  const ids = await runIds(runsFolder, wanted, host)
  if (wanted === undefined) throw new RunError(`No runs found in ${runsFolder}.`)
  if (ids.includes(wanted)) return found(join(runsFolder, wanted))
  const [first, ...others] = ids.filter(id => id.startsWith(wanted))
  if (first === undefined) throw new RunError(`Run ${wanted} not found in ${runsFolder}${listed(ids)}.`)
  if (others.length > 0) throw new RunError(`Several runs start with ${wanted}: ${[first, ...others].join(', ')}.`)
  return found(join(runsFolder, first))
}

/** Returns the run at a path; undefined if missing. */
async function runAt(path: string, host: Host): Promise<RunFiles | undefined> {
  const stat = await host.files.stat(path).catch(() => undefined)
  if (stat?.kind === 'other') throw new RunError(`${path} is not a regular file.`)
  if (stat?.kind === 'file') return { folder: dirname(path), results: path }
  if (stat?.kind !== 'folder') return undefined
  return (await isRun(path, host)) ? found(path) : resultsOfClient(path, host)
}

/** A folder of results of `claude plugin eval`. */
async function resultsOfClient(folder: string, host: Host): Promise<RunFiles | undefined> {
  const results = join(folder, AGGREGATE_FILE)
  const stat = await host.files.stat(results).catch(() => undefined)
  return stat?.kind === 'file' ? { folder, results } : undefined
}

/** Returns the id of the run that was started last. */
export async function latestRun(runsFolder: string, host: Host): Promise<string | undefined> {
  const bytes = await readIfExists(join(runsFolder, 'latest'), host)
  const id = bytes && new TextDecoder().decode(bytes).trim()
  return id && (await isRun(join(runsFolder, id), host)) ? id : undefined
}

async function runIds(runsFolder: string, wanted: string | undefined, host: Host): Promise<string[]> {
  const all = await host.files.listNames(runsFolder).catch(cannotRead(runsFolder))
  const names = all.filter(name => !isUnfinished(name))
  const isOne = (name: string) =>
    isRun(join(runsFolder, name), host).catch(error => {
      if (name === wanted) throw error
      // A folder that cannot be read does not hide the other runs.
      return false
    })
  const runs = await Promise.all(names.map(async name => ((await isOne(name)) ? [name] : [])))
  return runs.flat()
}

async function isRun(folder: string, host: Host): Promise<boolean> {
  const stats = await Promise.all(
    ['run.json', 'results.jsonl'].map(name => host.files.stat(join(folder, name)).catch(cannotRead(folder))),
  )
  return stats.some(stat => stat?.kind === 'file')
}

function found(folder: string): RunFiles {
  return { folder, results: join(folder, 'results.jsonl') }
}

function listed(ids: readonly string[]): string {
  const last = ids.slice(-3).map(id => basename(id))
  return last.length > 0 ? `; the latest are ${last.join(', ')}` : ''
}

/** Prefix of the folder of a merge in progress: only a complete run is named by its id. */
export const UNFINISHED_MERGE = '.merging-'

/** Prefix of the folder of a run that is being removed. */
export const UNFINISHED_REMOVAL = '.removing-'

/** Whether a folder is an unfinished merge or removal, which is no run. */
export function isUnfinished(name: string): boolean {
  return name.startsWith(UNFINISHED_MERGE) || name.startsWith(UNFINISHED_REMOVAL)
}

/** Removes unfinished merges and removals of killed processes: those whose lock is free. */
export async function removeUnfinished(runsFolder: string, host: Host): Promise<void> {
  const names = await host.files.listNames(runsFolder).catch(() => [])
  for (const name of names.filter(isUnfinished)) {
    const path = join(runsFolder, name)
    const lock = await host.locks.take(join(path, 'lock')).catch(() => undefined)
    if (lock && 'release' in lock) await host.files.remove(path).catch(lock.release)
  }
}
