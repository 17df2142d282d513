import { printableLine } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { RunLogger } from '../../log/run-logger.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { openRun } from '../open-run.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { type LogOptions, withLogs } from './open-logs.ts'

interface ImportOptions extends LogOptions {
  readonly runsDir?: string
}

/** `assay log import`: the attempts of an earlier run as logs, in the order in which they were made. */
export function logImport(run: string, options: ImportOptions): Promise<ExitCode> {
  return withLogs(options, async ({ folder, host }) => {
    const { runs_folder } = await findProjectFolders(options.runsDir, host)
    const reader = await openRun(run, runs_folder, host)
    try {
      const made = Array.from(reader.results(), ({ attempt_id, timestamp }) => ({ attempt_id, timestamp }))
      if (made.length === 0) {
        terminal.err('The run has no results to log.\n')
        return EXIT.nothing
      }
      made.sort((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)))
      const { info } = reader
      const log = new RunLogger(folder, {
        host,
        cwd: info?.root ?? host.cwd,
        targets: info?.targets ?? [],
        result: id => reader.result(id),
      })
      log.addRecorded(made.map(({ attempt_id }) => attempt_id))
      await log.finished()
      if (log.problem) throw log.problem
      terminal.out(options.json ? importedJson(log) : `${printableLine(importedText(log, shownPath(folder.path)))}\n`)
      return EXIT.ok
    } finally {
      reader.close()
    }
  })
}

function importedJson({ count, known, names }: RunLogger): string {
  return `${JSON.stringify({ attempts: count, already_logged: known, logs: [...names].sort() }, null, 2)}\n`
}

function importedText({ count, known, names }: RunLogger, folder: string): string {
  if (count === 0) return `nothing to log: ${plural(known, 'attempt')} already in ${folder}`
  const before = known === 0 ? '' : ` (${plural(known, 'attempt')} logged before)`
  return `logged ${plural(count, 'attempt')} in ${plural(names.size, 'log')} in ${folder}${before}`
}
