import { basename, dirname, join, resolve } from 'node:path'
import type { Host } from '../model/host.ts'
import { findRepositoryRoot, foldersUpTo } from '../model/repository-root.ts'
import type { RunFiles } from './find-run.ts'
import { cannotRead } from './run-error.ts'

/** The folders of a project. Paths in records start at `root`. */
export interface ProjectFolders {
  readonly root: string
  readonly settings_folder: string
  readonly runs_folder: string
}

/** Finds the folders of the project; `runsDir` overrides the folder of the runs. */
export async function findProjectFolders(runsDir: string | undefined, host: Host): Promise<ProjectFolders> {
  const { folder, root } = await findSettingsFolder(host)
  const runs_folder = runsDir === undefined ? join(folder, 'runs') : resolve(host.cwd, runsDir)
  return { root, settings_folder: folder, runs_folder }
}

/** Finds the nearest `.assay` from the current folder up to the repository root; default: the one at the root. */
export async function findSettingsFolder(host: Host): Promise<{ folder: string; root: string }> {
  const root = await findRepositoryRoot(host.cwd, host)
  for (const home of foldersUpTo(root, host.cwd)) {
    const folder = join(home, '.assay')
    const stat = await host.files.stat(folder).catch(() => undefined)
    if (stat?.kind === 'folder') return { folder, root }
  }
  return { folder: join(root, '.assay'), root }
}

/** Makes git ignore runs and cache in `.assay`. Does nothing in a folder that the user chose. */
export async function ignoreRunsInGit(runsFolder: string, host: Host): Promise<void> {
  const settings = dirname(runsFolder)
  if (basename(settings) !== '.assay') return
  await host.files.writeNew(join(settings, '.gitignore'), 'runs/\ncache/\n').catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
}

/** Whether a run is directly in the `.assay/runs` of the project, with links resolved. */
export async function isTrustedRun({ folder }: RunFiles, place: ProjectFolders, host: Host): Promise<boolean> {
  const paths = [trustedRunsFolder(place), join(folder, 'run.json')]
  const [own, info] = await Promise.all(paths.map(path => host.files.realPath(path).catch(cannotRead(path))))
  return own !== undefined && info !== undefined && dirname(dirname(info)) === own
}

/** The folder of runs that may name suites and targets to load. */
export function trustedRunsFolder({ settings_folder }: ProjectFolders): string {
  return join(settings_folder, 'runs')
}
