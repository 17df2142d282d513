import { join, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import { findSettingsFolder } from './settings-folder.ts'

/** Where runs are kept, and what their paths start from. */
export interface RunPlace {
  readonly root: string
  readonly settings_folder: string
  readonly runs_folder: string
}

/** Where the user says, else in the nearest `.assay`. */
export async function runPlace(runsDir: string | undefined, host: Host): Promise<RunPlace> {
  const { folder, root } = await findSettingsFolder(host)
  const runs_folder = runsDir === undefined ? join(folder, 'runs') : resolve(host.cwd, runsDir)
  return { root, settings_folder: folder, runs_folder }
}
