import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { FileStat } from '../model/host.ts'
import { unlessAbsent } from './unless-absent.ts'

/** What is at a path; undefined where nothing is. */
export async function statOf(path: string): Promise<FileStat | undefined> {
  const stats = await stat(path).catch(unlessAbsent(undefined))
  if (!stats) return undefined
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : 'other'
  return { kind, size: stats.size, executable: kind === 'file' && (await isExecutable(path)) }
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
