import { join, resolve } from 'node:path'
import type { Host } from '../../../model/host.ts'
import type { TargetFolders } from '../../../model/provider.ts'
import { findRepositoryRoot } from '../../../model/repository-root.ts'
import { resolveLinks } from './resolve-links.ts'

/** Folders of a project with targets, records and baselines. */
const SETTINGS_FOLDERS = ['.assay', '.agentv', '.co']

/** Real paths of the folders that an agent in a sandbox must not see: the project with its tests, other attempts, and the home folder. */
export async function hiddenFolders({ home, suite }: TargetFolders, host: Host): Promise<string[]> {
  const starts = [suite, home, host.cwd]
  const roots = await Promise.all(starts.map(folder => findRepositoryRoot(folder, host)))
  const projects = [...starts, ...roots]
  const { HOME, TMPDIR } = host.env
  const own = [HOME, TMPDIR, '/tmp'].flatMap(path => (path ? resolve(host.cwd, path) : []))
  const settings = projects.flatMap(folder => SETTINGS_FOLDERS.map(name => join(folder, name)))
  const all = [...projects, ...settings, ...own]
  const real = await Promise.all([...new Set(all)].map(async path => (await resolveLinks(path, host)).real))
  const folders = await Promise.all(real.map(path => host.files.stat(path).catch(() => undefined)))
  return [...new Set(real.filter((_, index) => folders[index]?.kind === 'folder'))]
}
