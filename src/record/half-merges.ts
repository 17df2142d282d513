import { join } from 'node:path'
import type { Host } from '../model/host.ts'

/** How the name of a run's folder begins while shards are merged into it: only a whole run gets the name of one. */
export const HALF_MERGE = '.merging-'

/** Removes merges whose process was killed: those whose lock can be taken. */
export async function removeHalfMerges(runsFolder: string, host: Host): Promise<void> {
  const names = await host.files.listNames(runsFolder).catch(() => [])
  for (const name of names.filter(name => name.startsWith(HALF_MERGE))) {
    const path = join(runsFolder, name)
    const lock = await host.locks.take(join(path, 'lock')).catch(() => undefined)
    if (lock && 'release' in lock) await host.files.remove(path).catch(lock.release)
  }
}
