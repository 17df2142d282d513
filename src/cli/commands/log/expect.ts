import { type Command, Option } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, positiveNumber } from '../../options.ts'
import { LOG_ARGUMENT, type LogOptions, logReader, openFound } from './subcommand.ts'

interface Options extends LogOptions {
  readonly turn?: number
  readonly text?: string
  readonly fromRun?: number
}

export function expectCommand(context: CommandContext): Command {
  return logReader('expect', 'Set the expected answer of a turn (default: its last answer).')
    .argument('<log>', LOG_ARGUMENT)
    .option('--turn <n>', 'number of the turn, from 1', positiveNumber)
    .addOption(new Option('--text <text>', 'expected answer').conflicts('fromRun'))
    .option('--from-run <n>', 'take the answer of this run', positiveNumber)
    .addHelpText('after', example('assay log expect say_hello_to_alice --text "Hello, Alice!"'))
    .action((name, options) => context.run(() => writeExpectation(name, options, context)))
}

async function writeExpectation(name: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context
  const { expectAnswer } = await import('../../../operations/logs/expect.ts')
  const { turn, text, fromRun: from_run } = options
  const expected = await expectAnswer(name, { turn, text, from_run }, await openFound(options, context))
  const { log } = expected
  const place = log.turns.length > 1 ? `turn ${expected.turn} of ${log.name}` : log.name
  terminal.out(
    `${printableLine(`${place} expects: ${expected.text}`)}\nwrote ${printableLine(terminal.path(expected.file))}\n`,
  )
  return EXIT.ok
}
