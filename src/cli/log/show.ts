import { printable, printableLine, terminalSafeJson } from '../../lib/text/escape.ts'
import { formatDollars, formatDuration } from '../../lib/text/format.ts'
import { type Log, LogError, runsOf, type Turn, type TurnRun } from '../../log/log.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { shownPath, terminal } from '../terminal/terminal.ts'
import { findLog, type LogOptions, withFoundLogs } from './open-logs.ts'

interface ShowOptions extends LogOptions {
  readonly run?: number
}

/** `assay log show`: the turns of a log, as they are now or in an earlier run. */
export function logShow(name: string, options: ShowOptions): Promise<ExitCode> {
  return withFoundLogs(options, async ({ folder }) => {
    const log = await findLog(name, folder)
    const { run } = options
    if (run !== undefined && !log.turns.some(turn => runsOf(turn).some(each => each.run === run)))
      throw new LogError(`${log.name} has no run ${run}: it has ${log.runs}.`)
    const file = shownPath(folder.fileOf(log.name))
    terminal.out(options.json ? terminalSafeJson(`${JSON.stringify(log, null, 2)}\n`) : showText(log, file, run))
    return EXIT.ok
  })
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
