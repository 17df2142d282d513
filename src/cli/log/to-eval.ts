import { dirname, relative, resolve, sep } from 'node:path'
import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { Log } from '../../log/log.ts'
import type { LogFolder } from '../../log/log-folder.ts'
import type { RunFile } from '../../log/run-file.ts'
import { type LogWithRuns, suiteFromLogs } from '../../log/suite-from-logs.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { writeText } from '../write-text.ts'
import { findLogs, type LogOptions, withFoundLogs } from './open-logs.ts'

interface ToEvalOptions extends LogOptions {
  readonly output?: string
  readonly force?: boolean
}

/** `assay log to-eval`: a suite from logs, a test for each turn. */
export function logToEval(names: readonly string[], options: ToEvalOptions): Promise<ExitCode> {
  return withFoundLogs(options, async ({ folder, host }) => {
    const { logs, broken } = await findLogs(names, folder)
    const home = homeOf(options.output, host.cwd)
    const whole = await Promise.all(logs.map(log => wholeLog(log, folder, home)))
    const { text, tests } = suiteFromLogs(whole)
    if (tests === 0) {
      terminal.err(`No log in ${printableLine(shownPath(folder.path))} has an answer to make a test of.\n`)
      return broken > 0 ? EXIT.mistakes : EXIT.nothing
    }
    if (options.output === undefined) terminal.out(text)
    else {
      await writeText(options.output, text, options, host)
      terminal.err(`${plural(tests, 'test')} from ${plural(logs.length, 'log')}\n`)
    }
    return broken > 0 ? EXIT.mistakes : EXIT.ok
  })
}

/** The folder of the suite, from which it says where the logs are. From one far off that would tell of this folder. */
function homeOf(output: string | undefined, cwd: string): string {
  const home = dirname(resolve(cwd, output ?? 'EVAL.yaml'))
  return home === cwd || home.startsWith(cwd + sep) ? home : cwd
}

/** A log with the files of the runs that its turns are about now. */
async function wholeLog(log: Log, folder: LogFolder, home: string): Promise<LogWithRuns> {
  const files = new Map<number, RunFile>()
  for (const { run } of log.turns) {
    const file =
      run === undefined || files.has(run) ? undefined : await folder.readRun(log.name, run).catch(() => undefined)
    if (file && run !== undefined) files.set(run, file)
  }
  return { log, files, source: relative(home, folder.fileOf(log.name)).replaceAll(sep, '/') }
}
