import { plural } from '../../lib/plural.ts'
import { printable } from '../../lib/printable.ts'
import type { Redactor } from '../../lib/redactor.ts'
import { ResultLog } from '../../log/result-log.ts'
import type { Host } from '../../model/host.ts'
import type { Plan } from '../../plan/attempt.ts'
import type { RunFolder } from '../../record/run-folder.ts'
import { type ExitCode, withMistake } from '../exit-codes.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { openLogs } from './open-logs.ts'
import { targetFacts } from './target-facts.ts'

interface RunLogOptions {
  readonly log?: boolean | undefined
  readonly logDir?: string
  readonly quiet?: boolean
}

/** The log of a run, where one is wanted. */
export interface RunLog {
  add(attemptId: string): void
  /** Waits for what is still to be logged, says how that went, and gives the exit code with it. */
  finish(code: ExitCode): Promise<ExitCode>
}

export function runLog(
  folder: RunFolder,
  { plan, redactor }: { readonly plan: Plan; readonly redactor: Redactor },
  options: RunLogOptions,
  host: Host,
): RunLog {
  if (!options.log) return { add: () => {}, finish: async code => code }
  const targets = [...new Set(plan.attempts.map(({ target }) => target))].map(targetFacts)
  const logs = openLogs(options.logDir, host)
  const log = new ResultLog(logs, {
    host,
    cwd: host.cwd,
    targets: JSON.parse(redactor.json(targets)),
    result: id => folder.result(id),
  })
  return {
    add: id => log.add(id),
    finish: async code => {
      await log.finished()
      if (log.problem) return cannotLog(log.problem, code)
      if (!options.quiet) terminal.err(`${plural(log.count, 'attempt')} logged in ${printable(shownPath(logs.path))}\n`)
      return code
    },
  }
}

/** What could not be logged is said; the records of the run are complete all the same. */
function cannotLog({ message }: Error, code: ExitCode): ExitCode {
  terminal.err(
    `Cannot log: ${printable(message)}\nThe records of the run are complete: \`assay log import\` logs them later.\n`,
  )
  return withMistake(code)
}
