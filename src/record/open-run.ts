import { join } from 'node:path'
import type { Host } from '../model/host.ts'
import { SCHEMA_VERSION } from '../model/result.ts'
import type { RunInfo } from '../model/run-info.ts'
import { NoRun } from './find-run.ts'
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
  return orClosed(folder, () => nameLatest(runsFolder, folder, host)).catch(nobodys(folder.path, host))
}

/** The folder of a new run, which nobody finds by `latest` yet. */
export async function newRun(runsFolder: string, facts: RunFacts, toJson: ToJson, host: Host): Promise<RunFolder> {
  const started = host.timestamp()
  const run_id = await newFolder(runsFolder, host)
  const info = { schema_version: SCHEMA_VERSION, run_id, started, ...facts } as const
  const path = join(runsFolder, run_id)
  return RunFolder.open(path, info, toJson, host).catch(nobodys(path, host))
}

/** The folder of a run that never began is nobody's. */
function nobodys(path: string, host: Host): (error: Error) => Promise<never> {
  return async error => {
    await host.remove(path).catch(() => {})
    throw error
  }
}

export async function nameLatest(runsFolder: string, { info }: RunFolder, host: Host): Promise<void> {
  await host.write(join(runsFolder, 'latest'), `${info.run_id}\n`).catch(cannotKeep(runsFolder))
}

/** A folder that cannot be used after all is not left open and locked. */
async function orClosed(folder: RunFolder, work: () => Promise<void>): Promise<RunFolder> {
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

async function newFolder(runsFolder: string, host: Host): Promise<string> {
  await ignoreRuns(runsFolder, host).catch(cannotKeep(runsFolder))
  const make = (id: string) => host.makeFolder(join(runsFolder, id)).catch(cannotKeep(runsFolder))
  let run_id = newRunId(host)
  while (!(await make(run_id))) run_id = newRunId(host)
  return run_id
}

/** Goes on with a run, under the plan of today; what is recorded of it stays. */
export async function resumeRun(begun: Begun, facts: RunFacts, toJson: ToJson, host: Host): Promise<RunFolder> {
  const { schema_version, run_id, started } = begun.info
  const info = { schema_version, run_id, started, ...facts }
  const folder = await RunFolder.open(begun.folder, info, toJson, host)
  await orClosed(folder, () => folder.readBack(host))
  if (begun.rerun_failed) folder.forget(failedIn(folder))
  return folder
}

function failedIn(folder: RunFolder): string[] {
  const failed: string[] = []
  for (const { attempt_id, verdict } of folder.facts()) {
    if (verdict === 'fail' || verdict === 'error') failed.push(attempt_id)
  }
  return failed
}
