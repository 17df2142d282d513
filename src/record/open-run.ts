import { dirname, join } from 'node:path'
import type { Host } from '../model/host.ts'
import { SCHEMA_VERSION } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { ResultFacts } from '../model/run-reader.ts'
import { removeUnfinished } from './find-run.ts'
import type { NewRunInfo } from './new-run-info.ts'
import { ignoreRunsInGit } from './project-folders.ts'
import { RunError } from './run-error.ts'
import { RunFolder, type ToJson } from './run-folder.ts'

/** A run to be resumed. */
export interface ResumableRun {
  readonly folder: string
  readonly info: RunInfo
  /** Whether failed and errored attempts are made again. */
  readonly rerun_failed: boolean
  /** Whether attempts that never reached the agent are made again, and no others. */
  readonly remakes_unreached?: boolean
}

/** Creates the folder of a run and makes it `latest`. */
export async function startRun(runsFolder: string, facts: NewRunInfo, toJson: ToJson, host: Host): Promise<RunFolder> {
  const folder = await createRun(runsFolder, facts, toJson, host)
  return orClosed(folder, () => setLatest(runsFolder, folder, host)).catch(removed(folder.path, host))
}

/** Creates the folder of a run. `prefix` marks an incomplete run. */
export async function createRun(
  runsFolder: string,
  facts: NewRunInfo,
  toJson: ToJson,
  host: Host,
  prefix = '',
): Promise<RunFolder> {
  const started = host.clock.timestamp()
  await host.files.removeLeftovers(runsFolder)
  await removeUnfinished(runsFolder, host)
  const run_id = await newFolder(runsFolder, prefix, host)
  const info = { schema_version: SCHEMA_VERSION, run_id, started, ...facts } as const
  const path = join(runsFolder, `${prefix}${run_id}`)
  return openWith(path, info, toJson, host).catch(removed(path, host))
}

async function openWith(path: string, info: RunInfo, toJson: ToJson, host: Host): Promise<RunFolder> {
  const folder = await RunFolder.open(path, info.run_id, toJson, host)
  return orClosed(folder, () => folder.begin(info))
}

/** Removes the folder of a run that could not be started. */
function removed(path: string, host: Host): (error: Error) => Promise<never> {
  return async error => {
    await host.files.remove(path).catch(() => {})
    throw error
  }
}

export async function setLatest(runsFolder: string, { info }: RunFolder, host: Host): Promise<void> {
  await host.files.write(join(runsFolder, 'latest'), `${info.run_id}\n`).catch(cannotKeep(runsFolder))
}

/** Closes and unlocks the folder if the work fails. */
async function orClosed(folder: RunFolder, work: () => Promise<unknown>): Promise<RunFolder> {
  try {
    await work()
    return folder
  } catch (error) {
    await folder.close().catch(() => {})
    throw error
  }
}

function cannotKeep(runsFolder: string): (error: Error) => never {
  return error => {
    throw new RunError(`Cannot write records to ${runsFolder}: ${error.message}`)
  }
}

async function newFolder(runsFolder: string, prefix: string, host: Host): Promise<string> {
  await ignoreRunsInGit(runsFolder, host).catch(cannotKeep(runsFolder))
  const make = (id: string) => host.files.makeFolder(join(runsFolder, `${prefix}${id}`)).catch(cannotKeep(runsFolder))
  let run_id = newRunId(host)
  while (!(await make(run_id))) run_id = newRunId(host)
  return run_id
}

/** Opens the folder of a run to be resumed, and reads its records. */
export async function reopenRun({ folder: path, info }: ResumableRun, toJson: ToJson, host: Host): Promise<RunFolder> {
  const folder = await RunFolder.open(path, info.run_id, toJson, host)
  await Promise.all([path, dirname(path)].map(each => host.files.removeLeftovers(each)))
  return orClosed(folder, () => folder.readBack())
}

/** Resumes a run with the current plan. Returns the recorded attempts that are no longer part of it. */
export async function resumeRun(
  folder: RunFolder,
  begun: ResumableRun,
  facts: NewRunInfo,
): Promise<readonly ResultFacts[]> {
  const { schema_version, run_id, started } = begun.info
  let others: readonly ResultFacts[] = []
  await orClosed(folder, async () => {
    others = await folder.begin({ schema_version, run_id, started, ...facts })
  })
  return others
}

/** Returns an id for a run: the time, and four random letters. */
function newRunId(host: Host): string {
  const time = host.clock.timestamp().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)
  const letters = Array.from({ length: 4 }, () => LETTERS[Math.floor(host.random() * LETTERS.length)]).join('')
  return `${time}-${letters}`
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz'
