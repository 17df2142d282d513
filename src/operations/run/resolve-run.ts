import { resolve } from 'node:path'
import { isBelow } from '../../lib/paths.ts'
import type { Host } from '../../model/host.ts'
import type { Origin } from '../../model/location.ts'
import type { RunInfo } from '../../model/run-info.ts'
import { findSuites } from '../../parse/find-files.ts'
import { findRun, type RunFiles } from '../../record/find-run.ts'
import type { ResumableRun } from '../../record/open-run.ts'
import {
  findProjectFolders,
  isTrustedRun,
  type ProjectFolders,
  trustedRunsFolder,
} from '../../record/project-folders.ts'
import { cannotRead, RunError } from '../../record/run-error.ts'
import { readRunInfo } from '../../record/run-folder.ts'
import { loadConfigIn } from '../config.ts'
import { displayPath } from '../display-path.ts'
import { decidingSettings } from './deciding-settings.ts'
import { type CompleteRequest, completeRequest, type RunRequest } from './run-request.ts'

/** A request that is complete, and where its run is kept. */
export interface ResolvedRun {
  readonly request: CompleteRequest
  readonly folders: ProjectFolders
  /** The run to resume. */
  readonly resumes: ResumableRun | undefined
  /** How that run is named on a command line. */
  readonly name: RunName | undefined
  /** Whether there is no run to resume, so that a new one starts. */
  readonly is_first: boolean
  /** The folder in which the resumed run was logged, where it cannot be logged on. */
  readonly unlogged: string | undefined
  /** Where the defaults of the request are written. */
  readonly config: Origin | undefined
  /** Hashes of files that agents of the resumed run write to: they count as they were when it began. */
  readonly files_before: ReadonlyMap<string, string> | undefined
}

/** Completes a request with the configuration, or with the run that it resumes. */
export async function resolveRun(given: RunRequest, host: Host): Promise<ResolvedRun> {
  const folders = await findProjectFolders(given.runs_dir, host)
  const loaded = await loadConfigIn(folders.settings_folder, host)
  const found = await findResumed(given, folders, host)
  const info = found?.begun.info
  const request = withDeciding(completeRequest(given, info, loaded, folders.root), given, info, host)
  const { log_dir } = (info?.options ?? {}) as RunRequest
  return {
    request,
    folders,
    resumes: found?.begun,
    name: found?.name,
    is_first: (given.resume ?? given.rerun_failed) !== undefined && !found,
    unlogged: request.log === undefined ? log_dir : undefined,
    config: found ? undefined : loaded.at,
    files_before: info && writtenFiles(info),
  }
}

/** Adds the settings of a run until it is decided, which makes one trial of each test first. */
function withDeciding(
  request: CompleteRequest,
  given: RunRequest,
  resumed: RunInfo | undefined,
  host: Host,
): CompleteRequest {
  const deciding = decidingSettings({ ...given, workers: request.workers }, resumed, host)
  return deciding ? { ...request, deciding, trials: 1 } : request
}

/** Finds the run to resume; undefined for `latest` where there is no run. */
async function findResumed(
  { paths = [], targets_file, resume, rerun_failed }: RunRequest,
  folders: ProjectFolders,
  host: Host,
): Promise<{ readonly begun: ResumableRun; readonly name: RunName } | undefined> {
  const wanted = rerun_failed ?? resume
  if (wanted === undefined) return undefined
  const found = await findRun(wanted, folders.runs_folder, host).catch(error => {
    if (wanted !== 'latest' || !(error instanceof RunError)) throw error
    return undefined
  })
  if (!found) return undefined
  const info = await readRunInfo(found.folder, host)
  if (!info) throw new RunError(`${found.folder} has no run.json, so it cannot be resumed.`)
  if (info.source !== undefined)
    throw new RunError(
      `${info.run_id} graded the answers of ${info.source} again: \`assay grade ${info.source}\` grades them once more.`,
    )
  const named = { suites: paths, targets_file, suite_words: 'PATH' }
  const name = await requireNamed(wanted, { found, info, named }, folders, host)
  return { name, begun: { folder: found.folder, info, rerun_failed: rerun_failed !== undefined } }
}

/** The files that the agents of a run write to, with their hashes from when it began. */
function writtenFiles({ root, target_files = [], written = [] }: RunInfo): Map<string, string> {
  const counted = target_files.filter(({ file }) => written.includes(file))
  return new Map(counted.map(({ file, sha256 }) => [resolve(root, file), sha256]))
}

/** How a run that is resumed or graded again is named on a command line. */
export interface RunName {
  /** Its id, or its path where it is not in the runs folder. */
  readonly run: string
  /** Whether its suites and targets have to be named with it. */
  readonly is_foreign: boolean
}

/** What the user names on the command line. */
interface NamedFiles {
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
  { found, info, named }: { readonly found: RunFiles; readonly info: RunInfo; readonly named: NamedFiles },
  folders: ProjectFolders,
  host: Host,
): Promise<RunName> {
  if (!info.imported && (await isTrustedRun(found, folders, host))) return { run: info.run_id, is_foreign: false }
  const missing = [
    ...(named.suites.length === 0 ? [`its suites (${named.suite_words})`] : []),
    ...(info.options['targets_file'] !== undefined && named.targets_file === undefined
      ? ['its targets file (--targets FILE)']
      : []),
  ]
  if (missing.length > 0) {
    const folder = (await host.files.realPath(found.folder).catch(() => undefined)) ?? found.folder
    throw new RunError(notTrusted(folder, info, folders, host), `hint: name ${missing.join(' and ')}`)
  }
  const { files } = await findSuites(named.suites, host)
  const targets = named.targets_file === undefined ? [] : [resolve(host.cwd, named.targets_file)]
  for (const file of [...files, ...targets]) await requireOutside(file, found.folder, host)
  return { run: run === 'latest' ? info.run_id : run, is_foreign: true }
}

/** Whether suites and targets of a new run have to be named where it is resumed. */
export function isForeign(folders: ProjectFolders): boolean {
  return folders.runs_folder !== trustedRunsFolder(folders)
}

function notTrusted(folder: string, { run_id, imported }: RunInfo, folders: ProjectFolders, host: Host): string {
  const from = imported
    ? `has records that were merged from elsewhere`
    : `is in ${displayPath(folder, host)}, not in ${displayPath(trustedRunsFolder(folders), host)}`
  return `The run ${run_id} ${from}, so its run.json cannot name what is executed.`
}

/** Requires a file to be outside of a run, with all links resolved. */
async function requireOutside(file: string, folder: string, host: Host): Promise<void> {
  const [real, run] = await Promise.all([file, folder].map(path => host.files.realPath(path).catch(cannotRead(path))))
  if (real === undefined || run === undefined || !isBelow(real, run)) return
  throw new RunError(
    `${displayPath(file, host)} is inside of the run ${displayPath(folder, host)}: suites and targets that come with records are not executed.`,
    'hint: name files outside of the run',
  )
}

/** The path that names a run: for `--resume RUN`, in which the run is taken for a path. */
export async function pathThatIsRun(request: RunRequest, host: Host): Promise<string | undefined> {
  const { runs_folder } = await findProjectFolders(request.runs_dir, host)
  for (const path of request.paths ?? []) {
    const isThere = (await host.files.stat(resolve(host.cwd, path)).catch(() => undefined)) !== undefined
    if (!isThere && (await isRunName(path, runs_folder, host))) return path
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
