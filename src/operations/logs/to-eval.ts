import { dirname, relative, resolve, sep } from 'node:path'
import type { Log } from '../../log/log.ts'
import type { LogFolder } from '../../log/log-folder.ts'
import type { RunFile } from '../../log/run-file.ts'
import { type LogWithRuns, suiteFromLogs } from '../../log/suite-from-logs.ts'
import type { OpenLogs } from './find-logs.ts'

/** Makes the text of a suite of logs, with a test for each turn. `output` is the file that it is for. */
export async function suiteOfLogs(
  logs: readonly Log[],
  output: string | undefined,
  { folder, host }: OpenLogs,
): Promise<{ readonly text: string; readonly tests: number }> {
  const home = homeOf(output, host.cwd)
  return suiteFromLogs(await Promise.all(logs.map(log => wholeLog(log, folder, home))))
}

/** The folder from which the suite names the logs. From one far away, paths would reveal the current folder. */
function homeOf(output: string | undefined, cwd: string): string {
  const home = dirname(resolve(cwd, output ?? 'EVAL.yaml'))
  return home === cwd || home.startsWith(cwd + sep) ? home : cwd
}

/** A log with the files of the runs that its turns show. */
async function wholeLog(log: Log, folder: LogFolder, home: string): Promise<LogWithRuns> {
  const files = new Map<number, RunFile>()
  for (const { run } of log.turns) {
    const file =
      run === undefined || files.has(run) ? undefined : await folder.readRun(log.name, run).catch(() => undefined)
    if (file && run !== undefined) files.set(run, file)
  }
  return { log, files, source: relative(home, folder.fileOf(log.name)).replaceAll(sep, '/') }
}
