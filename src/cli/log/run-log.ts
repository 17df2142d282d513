import type { Redactor } from '../../lib/redaction/redactor.ts'
import { printable } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { RunLogger } from '../../log/run-logger.ts'
import type { Host } from '../../model/host.ts'
import type { OpenRecords } from '../../open-records.ts'
import { type ExitCode, withMistake } from '../exit-codes.ts'
import type { SignalWatch } from '../signals.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { logsPath, openLogs } from './open-logs.ts'
import { targetFacts } from './target-facts.ts'

interface RunLogOptions {
  readonly log?: boolean | undefined
  readonly logDir?: string
  readonly quiet?: boolean
}

/** The log of a run, where one is wanted. */
export interface RunLog {
  add(attemptId: string): void
  /** Waits for what is still to be logged, reports how that went, and returns the exit code with it. */
  finish(code: ExitCode, signals: Signals): Promise<ExitCode>
}

type Signals = Pick<SignalWatch, 'signal' | 'code'>

/** Logs the attempts of a run; of a resumed one also those that were recorded before and are not logged yet. */
export function runLog(
  { folder, plan, resumed }: OpenRecords,
  redactor: Redactor,
  options: RunLogOptions,
  host: Host,
): RunLog {
  if (!options.log) return { add: () => {}, finish: async code => code }
  const targets = [...new Set(plan.attempts.map(({ target }) => target))].map(targetFacts)
  const logs = openLogs(logsPath(options.logDir, host), host)
  const log = new RunLogger(logs, {
    host,
    cwd: host.cwd,
    targets: JSON.parse(redactor.json(targets)),
    result: id => folder.result(id),
  })
  if (resumed) log.addRecorded(Array.from(folder.facts(), ({ attempt_id }) => attempt_id))
  return {
    add: id => log.add(id),
    finish: async (code, signals) => {
      await log.finished(endsAfter(signals.signal, host))
      if (log.problem) return cannotLog(log.problem, code)
      const where = printable(shownPath(logs.path))
      if (!options.quiet) terminal.err(`${plural(log.count, 'attempt')} logged in ${where}\n`)
      if (log.left === 0) return code
      const command = `assay log import ${folder.info.run_id}`
      terminal.err(`Interrupted: ${plural(log.left, 'attempt')} not logged. \`${printable(command)}\` logs the rest.\n`)
      return signals.code ?? code
    },
  }
}

/** How long is left for logging after a signal. */
const GRACE_MS = 1000

/** Whether the time that is left after a signal is over. */
function endsAfter(signal: AbortSignal, host: Host): () => boolean {
  let since: number | undefined
  return () => {
    if (signal.aborted) since ??= host.clock.elapsed()
    return since !== undefined && host.clock.elapsed() - since > GRACE_MS
  }
}

/** What could not be logged is said; the records of the run are complete all the same. */
function cannotLog({ message }: Error, code: ExitCode): ExitCode {
  terminal.err(
    `Cannot log: ${printable(message)}\nThe records of the run are complete: \`assay log import\` logs them later.\n`,
  )
  return withMistake(code)
}
