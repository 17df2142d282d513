import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import { ancestors, findRepositoryRoot } from '../model/repository-root.ts'

/** The nearest `.assay` from the current folder up to the repository root; where it would be made, when there is none. */
export async function findSettingsFolder(host: Host): Promise<{ folder: string; root: string }> {
  const root = await findRepositoryRoot(host.cwd, host)
  const above = ancestors(host.cwd)
  const end = above.indexOf(root)
  for (const home of above.slice(0, end < 0 ? 1 : end + 1)) {
    const folder = join(home, '.assay')
    const stat = await host.stat(folder).catch(() => undefined)
    if (stat?.kind === 'folder') return { folder, root }
  }
  return { folder: join(root, '.assay'), root }
}

/** Keeps runs and cache out of version control. */
export async function ignoreRuns(settingsFolder: string, host: Host): Promise<void> {
  await host.writeNew(join(settingsFolder, '.gitignore'), 'runs/\ncache/\n').catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}
