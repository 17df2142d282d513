import { plural } from '../../lib/plural.ts'
import { onOneLine } from '../../lib/printable.ts'
import { runOfResults } from '../../log/run-of-results.ts'
import { runPlace } from '../../record/run-place.ts'
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
    const { runs_folder } = await runPlace(options.runsDir, host)
    const reader = await openRun(run, runs_folder, host)
    try {
      const made = Array.from(reader.results(), ({ attempt_id, timestamp }) => ({ attempt_id, timestamp }))
      made.sort((a, b) => (a.timestamp < b.timestamp ? -1 : Number(a.timestamp > b.timestamp)))
      const surroundings = { host, cwd: reader.info?.root ?? host.cwd, targets: reader.info?.targets ?? [] }
      const names = new Set<string>()
      for (const { attempt_id } of made) {
        const result = reader.result(attempt_id)
        if (result) names.add((await folder.add(runOfResults([result], surroundings))).name)
      }
      if (made.length === 0) {
        terminal.err('The run has no results to log.\n')
        return EXIT.nothing
      }
      const text = `${plural(made.length, 'attempt')} in ${plural(names.size, 'log')} in ${shownPath(folder.path)}`
      terminal.out(
        options.json
          ? `${JSON.stringify({ attempts: made.length, logs: [...names].sort() }, null, 2)}\n`
          : `logged ${onOneLine(text)}\n`,
      )
      return EXIT.ok
    } finally {
      reader.close()
    }
  })
}
