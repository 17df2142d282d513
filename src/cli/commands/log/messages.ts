import type { Command } from 'commander'
import { terminalSafeJson } from '../../../lib/text/escape.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, positiveNumber } from '../../options.ts'
import { LOG_ARGUMENT, type LogOptions, logReader, openFound } from './subcommand.ts'

interface Options extends LogOptions {
  readonly run?: number
}

export function messagesCommand(context: CommandContext): Command {
  return logReader('messages', 'Print the messages of a run as a JSON array, ready to be sent again.')
    .argument('<log>', LOG_ARGUMENT)
    .option('--run <n>', 'number of the run (default: the last)', positiveNumber)
    .addHelpText('after', example('assay log messages say_hello_to_alice --run 1'))
    .action((name, options) => context.run(() => printMessages(name, options, context)))
}

async function printMessages(name: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { loggedMessages } = await import('../../../operations/logs/logged-runs.ts')
  const open = await openFound(options, context)
  context.terminal.out(terminalSafeJson(await loggedMessages(name, options.run, open)))
  return EXIT.ok
}
