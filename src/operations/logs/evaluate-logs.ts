import { mapConcurrent } from '../../lib/map-concurrent.ts'
import { type Log, LogError } from '../../log/log.ts'
import { type LoggedRun, loggedRunFrom } from '../../log/logged-run.ts'
import type { Host } from '../../model/host.ts'
import type { Result } from '../../model/result.ts'
import type { ConversationTarget } from '../converse.ts'
import type { OpenLogs } from './find-logs.ts'

/** A log that was run again. */
export interface EvaluatedLog {
  readonly log: Log
  /** The results of the turns, up to the last one that was sent. */
  readonly results: readonly Result[]
  /** The number of the new run; undefined where it failed and nothing was written. */
  readonly run: number | undefined
  /** Why a run that succeeded was not written. */
  readonly problem?: string | undefined
}

export interface EvaluateLogsOptions {
  /** How many conversations run at once. */
  readonly workers?: number | undefined
  onLog?(evaluated: EvaluatedLog): void
}

/** Runs logs again and judges the answers by what the logs expect. Logs that were interrupted are left out. */
export async function evaluateLogs(
  logs: readonly Log[],
  target: ConversationTarget,
  options: EvaluateLogsOptions,
  open: OpenLogs,
): Promise<EvaluatedLog[]> {
  const limit = target.workers(options.workers)
  const done = new Map<Log, EvaluatedLog>()
  const work = async (log: Log, emit: (evaluated: EvaluatedLog) => void) => {
    const evaluated = await evaluateLog(log, target, open)
    if (!evaluated) return
    done.set(log, evaluated)
    emit(evaluated)
  }
  for await (const finished of mapConcurrent({ lanes: [{ items: logs, limit }], limit, work }))
    for (const evaluated of finished) options.onLog?.(evaluated)
  return logs.flatMap(log => done.get(log) ?? [])
}

/** Runs a log again, and writes the run if it is whole; undefined where it was interrupted. */
async function evaluateLog(
  log: Log,
  target: ConversationTarget,
  { folder, host }: OpenLogs,
): Promise<EvaluatedLog | undefined> {
  const file = await folder.readRun(log.name, log.runs).catch(() => undefined)
  const turns = log.turns.map(({ input, expected }) => ({ input, expected: expected === '' ? undefined : expected }))
  const system_prompt = file?.system_prompt ?? ''
  const results: Result[] = []
  for await (const result of target.converse({ id: log.name, system_prompt, turns })) results.push(result)
  const last = results.at(-1)
  if (results.length < turns.length && last?.answer !== null) return undefined
  if (!last || last.answer === null) return { log, results, run: undefined }
  const run = loggedRun([...results.slice(0, -1), last], target, host)
  try {
    return { log, results, run: (await folder.addTo(log.name, run))?.run }
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    return { log, results, run: undefined, problem: error.message }
  }
}

/** The run of a conversation that was answered to its end. */
export function loggedRun(
  results: Parameters<typeof loggedRunFrom>[0],
  { facts }: ConversationTarget,
  host: Host,
): LoggedRun {
  return loggedRunFrom(results, { host, cwd: host.cwd, ended: host.clock.timestamp(), targets: [...facts] })
}
