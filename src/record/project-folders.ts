import { basename, dirname, join, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import { findRepositoryRoot, foldersUpTo } from '../model/repository-root.ts'
import type { RunFiles } from './find-run.ts'
import { cannotRead } from './run-error.ts'

/** Where runs are kept, and what their paths start from. */
export interface ProjectFolders {
  readonly root: string
  readonly settings_folder: string
  readonly runs_folder: string
}

/** Where the user says, else in the nearest `.assay`. */
export async function findProjectFolders(runsDir: string | undefined, host: Host): Promise<ProjectFolders> {
  const { folder, root } = await findSettingsFolder(host)
  const runs_folder = runsDir === undefined ? join(folder, 'runs') : resolve(host.cwd, runsDir)
  return { root, settings_folder: folder, runs_folder }
}

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
export async function ignoreRunsInGit(runsFolder: string, host: Host): Promise<void> {
  const settings = dirname(runsFolder)
  if (basename(settings) !== '.assay') return
  await host.files.writeNew(join(settings, '.gitignore'), 'runs/\ncache/\n').catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Whether a run is directly in the project's own `.assay/runs`, with all links resolved. */
export async function isTrustedRun({ folder }: RunFiles, place: ProjectFolders, host: Host): Promise<boolean> {
  const paths = [trustedRunsFolder(place), join(folder, 'run.json')]
  const [own, info] = await Promise.all(paths.map(path => host.files.realPath(path).catch(cannotRead(path))))
  return own !== undefined && info !== undefined && dirname(dirname(info)) === own
}

/** The folder whose runs are trusted to name suites and targets. */
export function trustedRunsFolder({ settings_folder }: ProjectFolders): string {
  return join(settings_folder, 'runs')
}
