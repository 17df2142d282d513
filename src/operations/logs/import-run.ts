import { RunLogger } from '../../log/run-logger.ts'
import type { RunReader } from '../../model/run-reader.ts'
import type { OpenLogs } from './find-logs.ts'

export interface ImportedRun {
  /** How many attempts are logged now, and how many were before. */
  readonly count: number
  readonly known: number
  /** Names of the logs. */
  readonly names: ReadonlySet<string>
}

/** Logs the attempts of a run that are not logged yet, in the order in which they were made; undefined where it has none. */
export async function importRun(run: RunReader, { folder, host }: OpenLogs): Promise<ImportedRun | undefined> {
  const made = Array.from(run.results(), ({ attempt_id, timestamp }) => ({ attempt_id, timestamp }))
  if (made.length === 0) return undefined
  made.sort((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)))
  const { info } = run
  const log = new RunLogger(folder, {
    host,
    cwd: info?.root ?? host.cwd,
    targets: info?.targets ?? [],
    result: id => run.result(id),
  })
  log.addRecorded(made.map(({ attempt_id }) => attempt_id))
  await log.finished()
  if (log.problem) throw log.problem
  return log
}
