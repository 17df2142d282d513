import { join } from 'node:path'
import { Semaphore } from '../../lib/semaphore.ts'
import type { Host } from '../../model/host.ts'
import { answerCache } from '../../record/answer-cache.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { recordedPathsFrom } from '../../record/recorded-path.ts'
import { createRecordingsReader, type ReadOtherRecordings } from '../../record/recordings.ts'
import type { ToJson } from '../../record/run-folder.ts'
import { MachineRequestLimits, requestsFolder } from '../../run/policies/machine-request-limits.ts'
import type { RunContext } from '../../run/run-plan.ts'

/** What attempts on this machine share: the cache, recordings, paths and the limit on programs. */
export interface MachineOptions {
  readonly folders: ProjectFolders
  /** The run that `provider: replay` calls `latest`. */
  readonly previous: string | undefined
  /** How many attempts are made at once, where that is known. */
  readonly workers?: number | undefined
  readonly cache?: boolean | undefined
  /** How values are written, without secrets. */
  readonly toJson: ToJson
}

export function machineContext(options: MachineOptions, host: Host) {
  const { folders, previous, workers = 0, cache, toJson } = options
  return {
    cache: cache ? answerCache(join(folders.settings_folder, 'cache'), toJson, host) : undefined,
    recordings: createRecordingsReader(folders.runs_folder, previous, readLogs, host),
    recordedPath: recordedPathsFrom(folders.root),
    semaphore: new Semaphore(Math.max(workers, 2 * host.cores)),
  }
}

const readLogs: ReadOtherRecordings = async (from, folder, host) => {
  const { logRecordings } = await import('../../log/log-recordings.ts')
  return logRecordings(from, folder, host)
}

/** What one run adds to what its machine has. */
export type RunParts = Omit<RunContext, 'host' | 'requests' | keyof ReturnType<typeof machineContext>>

/** Assembles the context in which attempts are made: this is the only place. */
export function runContext(options: MachineOptions, parts: RunParts, host: Host) {
  return {
    host,
    ...machineContext(options, host),
    requests: new MachineRequestLimits(requestsFolder(options.folders.settings_folder), host),
    ...parts,
  } satisfies RunContext
}
