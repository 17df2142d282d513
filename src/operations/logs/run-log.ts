import type { Redactor } from '../../lib/redaction/redactor.ts'
import { RunLogger } from '../../log/run-logger.ts'
import type { Host } from '../../model/host.ts'
import type { Target } from '../../model/target.ts'
import type { ProjectFolders } from '../../record/project-folders.ts'
import { recordedPath } from '../../record/recorded-path.ts'
import type { RunObserver } from '../run/run-observer.ts'
import type { OpenRecords } from '../run/run-records.ts'
import type { RunRequest } from '../run/run-request.ts'
import { logsPath, openLogs } from './find-logs.ts'

/** The log of a run. */
export interface RunLog {
  add(attemptId: string): void
  /** Waits until the attempts are logged; soon after the signal, not for all of them. */
  finish(signal: AbortSignal): Promise<FinishedLog>
}

export interface FinishedLog {
  /** The folder of the logs. */
  readonly path: string
  readonly run_id: string
  /** How many attempts are logged, and how many are not. */
  readonly count: number
  readonly left: number
  /** Why no more are logged. */
  readonly problem: Error | undefined
}

interface RunLogOptions {
  readonly request: RunRequest
  readonly observer: RunObserver
}

/** Logs the attempts of a run; of a resumed one also those that were recorded before and are not logged yet. */
export function openRunLog(
  { folder, plan, resumed }: OpenRecords,
  redactor: Redactor,
  { request, observer }: RunLogOptions,
  host: Host,
): RunLog {
  const targets = [...new Set(plan.attempts.map(({ target }) => target))].map(targetFacts)
  const logs = openLogs(logsPath(request.log_dir, host), host, message => observer.onWarning?.(message))
  const log = new RunLogger(logs, {
    host,
    cwd: host.cwd,
    targets: JSON.parse(redactor.json(targets)),
    result: id => folder.result(id),
  })
  if (resumed) log.addRecorded(Array.from(folder.facts(), ({ attempt_id }) => attempt_id))
  return {
    add: id => log.add(id),
    finish: async signal => {
      await log.finished(endsAfter(signal, host))
      const { count, left, problem } = log
      return { path: logs.path, run_id: folder.info.run_id, count, left, problem }
    },
  }
}

/** The folder of the logs as `run.json` names it. */
export function recordedLogDir(request: RunRequest, { root }: ProjectFolders, host: Host): string {
  return recordedPath(logsPath(request.log_dir, host), root)
}

/** What a log says about a target, with its variables filled in. */
export function targetFacts({ name, settings, config }: Target): Record<string, unknown> {
  const { model } = config as { readonly model?: unknown }
  return { name, system_prompt: settings.system_prompt, model }
}

/** How long logging may go on after a signal. */
const GRACE_MS = 1000

function endsAfter(signal: AbortSignal, host: Host): () => boolean {
  let since: number | undefined
  return () => {
    if (signal.aborted) since ??= host.clock.elapsed()
    return since !== undefined && host.clock.elapsed() - since > GRACE_MS
  }
}
