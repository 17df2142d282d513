import { terminalSafeJson } from '../../lib/text/escape.ts'
import { type Log, LogError } from '../../log/log.ts'
import { diffRuns, type LogDiff, runNumbers } from '../../log/log-diff.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { paletteFor, terminal } from '../terminal/terminal.ts'
import { diffText } from './diff-text.ts'
import { findLog, type LogOptions, withFoundLogs } from './open-logs.ts'

interface DiffOptions extends LogOptions {
  readonly runs?: readonly [number, number]
}

/** `assay log diff`: what changed from one run to another. */
export function logDiff(name: string, options: DiffOptions): Promise<ExitCode> {
  return withFoundLogs(options, async ({ folder }) => {
    const log = await findLog(name, folder)
    const [before, after] = runsToCompare(log, options.runs)
    const numbered = async (run: number) => ({ run, file: await folder.readRun(log.name, run) })
    const compared: LogDiff = diffRuns(log, await numbered(before), await numbered(after))
    const text = () => diffText(compared, paletteFor(process.stdout))
    terminal.out(options.json ? terminalSafeJson(`${JSON.stringify(compared, null, 2)}\n`) : text())
    return EXIT.ok
  })
}

/** The runs that the user names, else the last two. */
function runsToCompare(log: Log, named: DiffOptions['runs']): readonly [number, number] {
  const known = runNumbers(log)
  const missing = named?.find(run => !known.includes(run))
  if (missing !== undefined)
    throw new LogError(`${log.name} has no run ${missing}: it has ${known.toReversed().join(', ')}.`)
  if (named) return named
  const [after, before] = known
  if (after === undefined || before === undefined)
    throw new LogError(`${log.name} has ${after === undefined ? 'no' : 'only one'} run: there is nothing to compare.`)
  return [before, after]
}
