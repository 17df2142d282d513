import type { Command } from 'commander'
import { printable, printableLine } from '../../../lib/text/escape.ts'
import { formatDollars, formatDuration } from '../../../lib/text/format.ts'
import { type Log, runsOf, type Turn, type TurnRun } from '../../../log/log.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, positiveNumber } from '../../options.ts'
import { LOG_ARGUMENT, type LogOptions, logReader, openFound } from './subcommand.ts'

interface Options extends LogOptions {
  readonly run?: number
}

export function showCommand(context: CommandContext): Command {
  return logReader('show', 'Show a log turn by turn: input, output, tools, expected answer and verdict.')
    .argument('<log>', LOG_ARGUMENT)
    .option('--run <n>', 'number of an earlier run', positiveNumber)
    .option('--json', 'print the whole log as one JSON document')
    .addHelpText('after', example('assay log show say_hello_to_alice --run 1'))
    .action((name, options) => context.run(() => showLog(name, options, context)))
}

async function showLog(name: string, { run, ...options }: Options, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context
  const { logWithRun } = await import('../../../operations/logs/logged-runs.ts')
  const open = await openFound(options, context)
  const log = await logWithRun(name, run, open)
  if (options.json) terminal.json(log)
  else terminal.out(showText(log, terminal.path(open.folder.fileOf(log.name)), run))
  return EXIT.ok
}

function showText({ name, model, runs, created, updated, turns }: Log, file: string, run: number | undefined): string {
  const head = `${name}  ${runs === 1 ? '1 run' : `${runs} runs`}  ${model ?? 'model unknown'}  ${printableLine(file)}`
  const times = `created ${created ?? 'unknown'}, updated ${updated ?? 'unknown'}`
  return `${printableLine(head)}\n${printableLine(times)}\n${turns.map((turn, index) => turnText(turn, index + 1, run)).join('')}`
}

function turnText(turn: Turn, number: number, run: number | undefined): string {
  const shown = run === undefined ? turn : runsOf(turn).find(each => each.run === run)
  const head = `\nTurn ${number}: ${printableLine(turn.input)}\n`
  return shown ? `${head}${runText(shown)}` : `${head}  no run ${run}\n`
}

function runText({ run, output, tools_called, expected, evaluation, meta }: TurnRun): string {
  const rows = [
    ['run', `${run ?? 'unknown'}${meta.ts === undefined ? '' : `, ${meta.ts}`}${figuresText(meta)}`],
    ['output', output ?? 'unknown'],
    ['tools', tools_called ? tools_called.join('\n') || 'none' : 'unknown'],
    ...(expected === '' ? [] : [['expected', expected]]),
    ...(evaluation === '' ? [] : [['judged', evaluation]]),
  ]
  return rows.map(([label = '', text = '']) => `  ${label.padEnd(9)}${indented(printable(text))}\n`).join('')
}

function indented(text: string): string {
  return text.trimEnd().replaceAll('\n', `\n${' '.repeat(11)}`)
}

function figuresText({ tokens, cost, duration_ms }: TurnRun['meta']): string {
  const parts = [
    ...(tokens == null ? [] : [`${tokens} tokens`]),
    ...(cost == null ? [] : [formatDollars(cost)]),
    ...(duration_ms == null ? [] : [formatDuration(duration_ms)]),
  ]
  return parts.length > 0 ? `, ${parts.join(', ')}` : ''
}
