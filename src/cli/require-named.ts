import { resolve } from 'node:path'
import { isBelow } from '../lib/paths.ts'
import type { Host } from '../model/host.ts'
import type { RunInfo } from '../model/run-info.ts'
import { findSuites } from '../parse/find-files.ts'
import type { RunFiles } from '../record/find-run.ts'
import { isTrustedRun, type ProjectFolders, trustedRunsFolder } from '../record/project-folders.ts'
import { cannotRead, RunError } from '../record/run-error.ts'
import type { RunName } from './next-command.ts'
import { shownPath } from './terminal/terminal.ts'

/** What the user names on the command line. */
interface Named {
  readonly suites: readonly string[]
  readonly targets_file: string | undefined
  /** How suites are named, for the hint: `--suite FILE`. */
  readonly suite_words: string
}

/**
 * Requires suites and targets of a run from elsewhere to be named, so that its run.json never decides what is executed.
 * Returns how the run is named in commands; `run` is how the user has named it.
 */
export async function requireNamed(
  run: string,
  { found, info, named }: { readonly found: RunFiles; readonly info: RunInfo; readonly named: Named },
  place: ProjectFolders,
  host: Host,
): Promise<RunName> {
  if (!info.imported && (await isTrustedRun(found, place, host))) return { run: info.run_id, is_foreign: false }
  const missing = [
    ...(named.suites.length === 0 ? [`its suites (${named.suite_words})`] : []),
    ...(info.options['targets_file'] !== undefined && named.targets_file === undefined
      ? ['its targets file (--targets FILE)']
      : []),
  ]
  if (missing.length > 0) {
    const folder = (await host.files.realPath(found.folder).catch(() => undefined)) ?? found.folder
    throw new RunError(notTrusted(folder, info, place), `hint: name ${missing.join(' and ')}`)
  }
  const { files } = await findSuites(named.suites, host)
  const targets = named.targets_file === undefined ? [] : [resolve(host.cwd, named.targets_file)]
  for (const file of [...files, ...targets]) await requireOutside(file, found.folder, host)
  return { run: run === 'latest' ? info.run_id : run, is_foreign: true }
}

function notTrusted(folder: string, { run_id, imported }: RunInfo, place: ProjectFolders): string {
  const from = imported
    ? `has records that were merged from elsewhere`
    : `is in ${shownPath(folder)}, not in ${shownPath(trustedRunsFolder(place))}`
  return `The run ${run_id} ${from}, so its run.json cannot name what is executed.`
}

/** Requires a file to be outside of a run, with all links resolved. */
async function requireOutside(file: string, folder: string, host: Host): Promise<void> {
  const [real, run] = await Promise.all([file, folder].map(path => host.files.realPath(path).catch(cannotRead(path))))
  if (real === undefined || run === undefined || !isBelow(real, run)) return
  throw new RunError(
    `${shownPath(file)} is inside of the run ${shownPath(folder)}: suites and targets that come with records are not executed.`,
    'hint: name files of your own',
  )
}
