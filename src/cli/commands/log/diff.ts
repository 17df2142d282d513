import { type Command, InvalidArgumentError } from 'commander'
import type { Palette } from '../../../lib/palette.ts'
import { lineDiff } from '../../../lib/text/diff.ts'
import { printable, printableLine } from '../../../lib/text/escape.ts'
import { formatDollars, formatDuration } from '../../../lib/text/format.ts'
import type { BeforeAfter, LogDiff, TurnDiff } from '../../../log/log-diff.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example } from '../../options.ts'
import { LOG_ARGUMENT, type LogOptions, logReader, openFound } from './subcommand.ts'

interface Options extends LogOptions {
  readonly runs?: readonly [number, number]
}

export function diffCommand(context: CommandContext): Command {
  return logReader(
    'diff',
    'Show what changed between two runs: output, tools, tokens, cost, time, model, system prompt.',
  )
    .argument('<log>', LOG_ARGUMENT)
    .option('--runs <a,b>', 'numbers of the runs (default: the last two)', twoRuns)
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay log diff say_hello_to_alice --runs 1,2'))
    .action((name, options) => context.run(() => diffRuns(name, options, context)))
}

function twoRuns(text: string): [number, number] {
  const [, first, second] = /^(\d+),(\d+)$/.exec(text.replaceAll(' ', '')) ?? []
  if (!first || !second) throw new InvalidArgumentError('It must be two runs, as 1,2.')
  return [Number(first), Number(second)]
}

async function diffRuns(name: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context
  const { compareLogged } = await import('../../../operations/logs/logged-runs.ts')
  const compared = await compareLogged(name, options.runs, await openFound(options, context))
  if (options.json) terminal.json(compared)
  else terminal.out(diffText(compared, terminal.palette('stdout')))
  return EXIT.ok
}

/** Formats the differences of two runs. */
function diffText({ name, runs: [before, after], model, system_prompt, turns }: LogDiff, palette: Palette): string {
  const head = `${printableLine(name)}: run ${before} and run ${after}\n`
  const common = [row('model', model, palette), row('system', system_prompt, palette)].join('')
  return `${head}${common}${turns.map((turn, index) => turnText(turn, index + 1, palette)).join('')}`
}

function turnText(turn: TurnDiff, number: number, palette: Palette): string {
  const { input, output, tools_called, evaluation, tokens, cost, duration_ms } = turn
  const rows = [
    row('output', output, palette),
    row(
      'tools',
      asText(tools_called, calls => calls.join('\n')),
      palette,
    ),
    figureRow('tokens', tokens, String),
    figureRow('cost', cost, formatDollars),
    figureRow('time', duration_ms, formatDuration),
    ...(evaluation.before || evaluation.after ? [row('judged', evaluation, palette)] : []),
  ]
  return `\nTurn ${number}: ${printableLine(input)}\n${rows.join('')}`
}

function asText<Value>({ before, after }: BeforeAfter<Value>, text: (value: Value) => string): BeforeAfter {
  const shown = (value: Value | undefined) => (value === undefined ? undefined : text(value))
  return { before: shown(before), after: shown(after) }
}

function row(label: string, { before, after }: BeforeAfter, palette: Palette): string {
  const start = `  ${label.padEnd(8)}`
  if (before === undefined || after === undefined) {
    const known = before === after ? 'unknown' : `unknown in ${before === undefined ? 'the first' : 'the second'}`
    return `${start}${known}\n`
  }
  if (before === after) return `${start}same\n`
  const paint = { '-': palette.error, '+': palette.good, ' ': palette.faint }
  const lines = lineDiff(before, after).map(({ mark, text }) => `    ${paint[mark](`${mark} ${printable(text)}`)}\n`)
  return `${start}changed\n${lines.join('')}`
}

function figureRow(label: string, { before, after }: BeforeAfter<number>, text: (value: number) => string): string {
  const shown = (value: number | undefined) => (value === undefined ? 'unknown' : text(value))
  const values = before === after ? shown(before) : `${shown(before)} → ${shown(after)}`
  return `  ${label.padEnd(8)}${values}\n`
}
