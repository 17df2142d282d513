import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import { removeUnfinished, UNFINISHED_REMOVAL } from './find-run.ts'
import { listRuns, type RunEntry } from './list-runs.ts'
import { RunError, readIfExists } from './run-error.ts'

/** What became of a run that was to be removed. */
export type Removal =
  | { readonly kind: 'removed'; readonly id: string; readonly bytes: number }
  /** A live process works on it. */
  | { readonly kind: 'in-use'; readonly id: string; readonly holder: string }
  /** Another process has removed it meanwhile. */
  | { readonly kind: 'gone'; readonly id: string }

/** Removes runs that no live process works on. `latest` then names the newest one that is left. */
export async function removeRuns(runs: readonly RunEntry[], runsFolder: string, host: Host): Promise<Removal[]> {
  await removeUnfinished(runsFolder, host)
  const removals: Removal[] = []
  try {
    for (const run of runs) removals.push(await removeRun(run, runsFolder, host))
  } finally {
    if (removals.length > 0) await repairLatest(runsFolder, host)
  }
  return removals
}

/** Hides a run under its lock before its files are removed: no command finds a part of it. */
async function removeRun({ id, folder }: RunEntry, runsFolder: string, host: Host): Promise<Removal> {
  const bytes = await folderSize(folder, host)
  if (bytes === undefined) return { kind: 'gone', id }
  try {
    const lock = await host.locks.take(join(folder, 'lock'))
    if ('holder' in lock) return { kind: 'in-use', id, holder: lock.holder }
    const hidden = join(runsFolder, `${UNFINISHED_REMOVAL}${id}`)
    try {
      await host.files.rename(folder, hidden)
    } catch (error) {
      await lock.release()
      throw error
    }
    await host.files.remove(hidden)
    await lock.release()
    return { kind: 'removed', id, bytes }
  } catch (error) {
    if ((await folderSize(folder, host)) === undefined) return { kind: 'gone', id }
    throw new RunError(`Cannot remove ${folder}: ${(error as Error).message}`)
  }
}

/** The size of all files below a folder, without what links lead to; undefined if the folder does not exist. */
export async function folderSize(folder: string, host: Host): Promise<number | undefined> {
  const entries = await host.files.listEntries(folder).catch(() => undefined)
  if (!entries) return undefined
  let bytes = 0
  for (const { name, kind } of entries) {
    const path = join(folder, name)
    if (kind === 'folder') bytes += (await folderSize(path, host)) ?? 0
    else if (kind === 'file') bytes += (await host.files.stat(path).catch(() => undefined))?.size ?? 0
  }
  return bytes
}

/**
 * Makes `latest` name the newest run if its run is gone. Looks again after writing: a run that starts creates its
 * folder before it becomes `latest`, so one that was overwritten here is found.
 */
async function repairLatest(runsFolder: string, host: Host): Promise<void> {
  const file = join(runsFolder, 'latest')
  let written: string | undefined
  for (;;) {
    const bytes = await readIfExists(file, host)
    const named = bytes && new TextDecoder().decode(bytes).trim()
    const runs = (await listRuns(runsFolder, host)).filter(({ info }) => info)
    const isKnown = runs.some(({ id }) => id === named)
    const newest = runs[0]?.id
    if (isKnown && (named !== written || named === newest)) return
    if (newest === undefined && named === undefined) return
    if (newest === undefined) await host.files.remove(file)
    else await host.files.write(file, `${newest}\n`)
    written = newest
  }
}
