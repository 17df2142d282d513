import { basename, dirname, join } from 'node:path'
import type { Host } from '../model/host.ts'
import { findRepositoryRoot, foldersUpTo } from '../model/repository-root.ts'

/** The nearest `.assay` from the current folder up to the repository root; where it would be made, when there is none. */
export async function findSettingsFolder(host: Host): Promise<{ folder: string; root: string }> {
  const root = await findRepositoryRoot(host.cwd, host)
  for (const home of foldersUpTo(root, host.cwd)) {
    const folder = join(home, '.assay')
    const stat = await host.files.stat(folder).catch(() => undefined)
    if (stat?.kind === 'folder') return { folder, root }
  }
  return { folder: join(root, '.assay'), root }
}

/** Keeps runs and cache in `.assay` out of version control; a place of the user's own is left as it is. */
export async function ignoreRuns(runsFolder: string, host: Host): Promise<void> {
  const settings = dirname(runsFolder)
  if (basename(settings) !== '.assay') return
  await host.files.writeNew(join(settings, '.gitignore'), 'runs/\ncache/\n').catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}
