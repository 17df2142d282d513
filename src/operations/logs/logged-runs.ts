import { type Log, LogError, runsOf } from '../../log/log.ts'
import { diffRuns, type LogDiff, runNumbers } from '../../log/log-diff.ts'
import { messagesText } from '../../log/run-file.ts'
import { findLog, type OpenLogs } from './find-logs.ts'

/** Finds a log; throws where it lacks the given run. */
export async function logWithRun(name: string, run: number | undefined, logs: OpenLogs): Promise<Log> {
  const log = await findLog(name, logs)
  if (run !== undefined && !log.turns.some(turn => runsOf(turn).some(each => each.run === run)))
    throw new LogError(`${log.name} has no run ${run}: it has ${log.runs}.`)
  return log
}

/** The messages of a run as a JSON array, ready to be sent again. Default: of the last run. */
export async function loggedMessages(name: string, wanted: number | undefined, logs: OpenLogs): Promise<string> {
  const log = await findLog(name, logs)
  const run = wanted ?? log.runs
  const file = await logs.folder.readRun(log.name, run)
  if (!file) throw new LogError(`${log.name} has no file of run ${run}.`)
  if (!file.messages) throw new LogError(`The messages of run ${run} of ${log.name} cannot be read.`)
  return messagesText(file.messages)
}

/** Compares two runs of a log. Default: the last two. */
export async function compareLogged(
  name: string,
  wanted: readonly [number, number] | undefined,
  logs: OpenLogs,
): Promise<LogDiff> {
  const log = await findLog(name, logs)
  const [before, after] = runsToCompare(log, wanted)
  const numbered = async (run: number) => ({ run, file: await logs.folder.readRun(log.name, run) })
  return diffRuns(log, await numbered(before), await numbered(after))
}

function runsToCompare(log: Log, named: readonly [number, number] | undefined): readonly [number, number] {
  const known = runNumbers(log)
  const missing = named?.find(run => !known.includes(run))
  if (missing !== undefined)
    throw new LogError(`${log.name} has no run ${missing}: it has ${known.toReversed().join(', ')}.`)
  if (named) return named
  const [after, before] = known
  if (after === undefined || before === undefined)
    throw new LogError(`${log.name} has ${after === undefined ? 'no' : 'only one'} run: nothing to compare.`)
  return [before, after]
}
