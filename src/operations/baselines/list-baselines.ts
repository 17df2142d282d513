import type { Baseline } from '../../model/baseline.ts'
import type { Host } from '../../model/host.ts'
import { UserError } from '../../model/user-error.ts'
import { listBaselines } from '../../parse/find-files.ts'
import { baselineName } from '../../record/baseline-file.ts'
import { runGit } from '../../record/git.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { InvalidFile } from '../invalid-file.ts'
import { loadBaseline } from './saved-results.ts'

/** A baseline of the project; without content if it cannot be read. */
export interface ListedBaseline {
  readonly name: string
  readonly path: string
  readonly baseline: Baseline | undefined
  /** The last commit that changed it, with its date; undefined if it was never committed. */
  readonly commit: string | undefined
  /** Whether it differs from that commit. */
  readonly is_uncommitted: boolean
  readonly problem: InvalidFile | undefined
}

/** The baselines of the project, by name. */
export async function listSaved(host: Host): Promise<ListedBaseline[]> {
  const { settings_folder, root } = await findProjectFolders(undefined, host)
  const paths = await listBaselines(settings_folder, host)
  return Promise.all(
    paths.map(async path => {
      const read = await loadBaseline(path, host).catch(error => {
        if (!(error instanceof InvalidFile)) throw error
        return error
      })
      const isInvalid = read instanceof InvalidFile
      return {
        name: baselineName(path),
        path,
        baseline: isInvalid ? undefined : read,
        ...(await gitState(path, root, host)),
        problem: isInvalid ? read : undefined,
      }
    }),
  )
}

async function gitState(
  path: string,
  root: string,
  host: Host,
): Promise<Pick<ListedBaseline, 'commit' | 'is_uncommitted'>> {
  const [log, status] = await Promise.all([
    runGit(['log', '-1', '--format=%h %cs', '--', path], root, host),
    runGit(['status', '--porcelain', '--', path], root, host),
  ])
  const commit = log?.code === 0 && log.stdout.trim() !== '' ? log.stdout.trim() : undefined
  return { commit, is_uncommitted: status?.code === 0 && status.stdout.trim() !== '' }
}

/** Removes baselines, all or none of them. Returns their paths. */
export async function removeBaselines(names: readonly string[], host: Host): Promise<string[]> {
  const known = await listSaved(host)
  const paths = names.map(name => {
    const found = known.find(each => each.name === name)
    if (found) return found.path
    const list = known.map(each => each.name).join(', ')
    throw new UserError(
      `There is no baseline ${name}.`,
      list === '' ? 'Save one with `assay baseline save`.' : `The baselines are: ${list}.`,
    )
  })
  for (const path of paths) await host.files.remove(path)
  return paths
}
