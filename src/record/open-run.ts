import { dirname, join } from 'node:path'
import type { Host } from '../model/host.ts'
import { SCHEMA_VERSION } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import type { ResultFacts } from '../model/run-reader.ts'
import { removeHalfMerges } from './half-merges.ts'
import { NoRun } from './no-run.ts'
import type { RunFacts } from './run-facts.ts'
import { RunFolder, type ToJson } from './run-folder.ts'
import { newRunId } from './run-id.ts'
import { ignoreRuns } from './settings-folder.ts'

/** A run that was begun before. */
export interface Begun {
  readonly folder: string
  readonly info: RunInfo
  /** Whether failed and errored attempts are made again. */
  readonly rerun_failed: boolean
}

/** Begins a run; its folder has everything that is known of it, and `latest` names it. */
export async function beginRun(runsFolder: string, facts: RunFacts, toJson: ToJson, host: Host): Promise<RunFolder> {
  const folder = await newRun(runsFolder, facts, toJson, host)
  return orClosed(folder, () => nameLatest(runsFolder, folder, host)).catch(removed(folder.path, host))
}

/** The folder of a new run, which `latest` does not name yet. The prefix is for one that is not whole yet. */
export async function newRun(
  runsFolder: string,
  facts: RunFacts,
  toJson: ToJson,
  host: Host,
  prefix = '',
): Promise<RunFolder> {
  const started = host.clock.timestamp()
  await host.files.removeLeftovers(runsFolder)
  await removeHalfMerges(runsFolder, host)
  const run_id = await newFolder(runsFolder, prefix, host)
  const info = { schema_version: SCHEMA_VERSION, run_id, started, ...facts } as const
  const path = join(runsFolder, `${prefix}${run_id}`)
  return openWith(path, info, toJson, host).catch(removed(path, host))
}

async function openWith(path: string, info: RunInfo, toJson: ToJson, host: Host): Promise<RunFolder> {
  const folder = await RunFolder.open(path, info.run_id, toJson, host)
  return orClosed(folder, () => folder.begin(info))
}

/** The folder of a run that never began is removed. */
function removed(path: string, host: Host): (error: Error) => Promise<never> {
  return async error => {
    await host.files.remove(path).catch(() => {})
    throw error
  }
}

export async function nameLatest(runsFolder: string, { info }: RunFolder, host: Host): Promise<void> {
  await host.files.write(join(runsFolder, 'latest'), `${info.run_id}\n`).catch(cannotKeep(runsFolder))
}

/** A folder that cannot be used after all is not left open and locked. */
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
    throw new NoRun(`Cannot keep records in ${runsFolder}: ${error.message}`)
  }
}

async function newFolder(runsFolder: string, prefix: string, host: Host): Promise<string> {
  await ignoreRuns(runsFolder, host).catch(cannotKeep(runsFolder))
  const make = (id: string) => host.files.makeFolder(join(runsFolder, `${prefix}${id}`)).catch(cannotKeep(runsFolder))
  let run_id = newRunId(host)
  while (!(await make(run_id))) run_id = newRunId(host)
  return run_id
}

/** Opens a run to go on with it, with what is recorded of it. */
export async function reopenRun({ folder: path, info }: Begun, toJson: ToJson, host: Host): Promise<RunFolder> {
  const folder = await RunFolder.open(path, info.run_id, toJson, host)
  await Promise.all([path, dirname(path)].map(each => host.files.removeLeftovers(each)))
  return orClosed(folder, () => folder.readBack())
}

/** Goes on with a run, under the plan of today; gives the facts of attempts that are not part of it any more. */
export async function resumeRun(folder: RunFolder, begun: Begun, facts: RunFacts): Promise<readonly ResultFacts[]> {
  const { schema_version, run_id, started } = begun.info
  let others: readonly ResultFacts[] = []
  await orClosed(folder, async () => {
    others = await folder.begin({ schema_version, run_id, started, ...facts })
  })
  return others
}
