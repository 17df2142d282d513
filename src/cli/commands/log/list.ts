import type { Command } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import { truncate } from '../../../lib/text/quote.ts'
import { renderTable } from '../../../lib/text/table.ts'
import type { Log } from '../../../log/log.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example } from '../../options.ts'
import { type LogOptions, logReader, openFound, reportBroken } from './subcommand.ts'

export function listCommand(context: CommandContext): Command {
  return logReader('list', 'List the logs with the number of runs and the last verdict.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay log list'))
    .action(options => context.run(() => listLogs(options, context)))
}

async function listLogs(options: LogOptions, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context
  const { findLogs } = await import('../../../operations/logs/find-logs.ts')
  const open = await openFound(options, context)
  const found = await findLogs([], open)
  const { logs, broken } = found
  reportBroken(found, context)
  if (options.json) terminal.json(logs.map(logData))
  else if (logs.length > 0) terminal.out(listText(logs))
  if (broken.length > 0) return EXIT.userError
  if (logs.length > 0) return EXIT.ok
  terminal.err(
    `No logs in ${printableLine(terminal.path(open.folder.path))}: \`assay eval --log\` or \`assay log run\` writes them.\n`,
  )
  return EXIT.nothing
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

/** The verdict of the last run, else whether an answer is expected. */
function state(turns: Log['turns']): string {
  const judged = turns.map(({ evaluation }) => evaluation).filter(text => text !== '')
  const worst = judged.find(text => !text.startsWith('pass')) ?? judged[0]
  if (worst !== undefined) return truncate(worst, 40)
  return turns.some(({ expected }) => expected !== '') ? 'not judged' : 'nothing expected'
}
