import { resolve } from 'node:path'
import { printableLine } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import { findRun } from '../record/find-run.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import type { EvalOptions } from './eval-options.ts'

/** A hint for `--resume RUN`: the run is then taken for a path, since the option takes it only with `=`. */
export async function resumeHint(
  paths: readonly string[],
  { resume, rerunFailed, runsDir }: EvalOptions,
  host: Host,
): Promise<string | undefined> {
  if (resume === undefined && rerunFailed === undefined) return undefined
  const { runs_folder } = await findProjectFolders(runsDir, host)
  for (const path of paths) {
    const isThere = (await host.files.stat(resolve(host.cwd, path)).catch(() => undefined)) !== undefined
    if (isThere || !(await isRunName(path, runs_folder, host))) continue
    return `hint: did you mean --${rerunFailed === undefined ? 'resume' : 'rerun-failed'}=${printableLine(path)}?`
  }
  return undefined
}

async function isRunName(name: string, runsFolder: string, host: Host): Promise<boolean> {
  if (name === 'latest') return true
  return findRun(name, runsFolder, host).then(
    () => true,
    () => false,
  )
}
