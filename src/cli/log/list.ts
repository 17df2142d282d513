import { printableLine, terminalSafeJson } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import { truncate } from '../../lib/text/quote.ts'
import { renderTable } from '../../lib/text/table.ts'
import type { Log } from '../../log/log.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { findLogs, type LogOptions, withFoundLogs } from './open-logs.ts'

/** `assay log list`: every log, when it last ran, and how that was judged. */
export function logList(options: LogOptions): Promise<ExitCode> {
  return withFoundLogs(options, async ({ folder }) => {
    const { logs, broken } = await findLogs([], folder)
    if (options.json) terminal.out(terminalSafeJson(`${JSON.stringify(logs.map(logData), null, 2)}\n`))
    else if (logs.length > 0) terminal.out(listText(logs))
    if (broken > 0) return EXIT.mistakes
    if (logs.length > 0) return EXIT.ok
    terminal.err(
      `There are no logs in ${printableLine(shownPath(folder.path))}: \`assay eval --log\` or \`assay log run\` writes some.\n`,
    )
    return EXIT.nothing
  })
}

function logData({ name, runs, model, created, updated, turns }: Log) {
  return {
    name,
    runs,
    model,
    created,
    updated,
    turns: turns.map(({ input, expected, evaluation }) => ({ input, expected, evaluation })),
  }
}

function listText(logs: readonly Log[]): string {
  const rows = logs.map(({ name, runs, model, updated, turns }) => {
    const cells = [
      name,
      plural(runs, 'run'),
      plural(turns.length, 'turn'),
      updated ?? 'unknown',
      model ?? 'unknown',
      state(turns),
    ]
    return cells.map(printableLine)
  })
  return renderTable(rows, 6)
}

/** How the last run was judged; else whether there is anything to judge it by. */
function state(turns: Log['turns']): string {
  const judged = turns.map(({ evaluation }) => evaluation).filter(text => text !== '')
  const worst = judged.find(text => !text.startsWith('pass')) ?? judged[0]
  if (worst !== undefined) return truncate(worst, 40)
  return turns.some(({ expected }) => expected !== '') ? 'not judged' : 'nothing expected'
}
