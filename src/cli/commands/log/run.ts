import type { Command } from 'commander'
import { printable } from '../../../lib/text/escape.ts'
import type { Result } from '../../../model/result.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { collect, example } from '../../options.ts'
import { watchSignals } from '../../signals.ts'
import { loadTarget } from './ask.ts'
import { type AskOptions, type LogOptions, logWriter, openNew, withAskOptions } from './subcommand.ts'

interface Options extends LogOptions, AskOptions {
  readonly turn?: readonly string[]
}

export function runCommand(context: CommandContext): Command {
  return withAskOptions(logWriter('run', 'Send a message to a target, print the answer and log it.'))
    .argument('<input>', 'message of the user')
    .option('--turn <input>', 'next message of the user (repeatable)', collect)
    .option('--json', 'print where it was logged as one JSON document')
    .addHelpText('after', example('assay log run "Say hello to Alice" --target default --turn "And to Bob"'))
    .action((input, options) => context.run(() => converse([input, ...(options.turn ?? [])], options, context)))
}

async function converse(inputs: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { askInTurns, logConversation } = await import('../../../operations/logs/log-conversation.ts')
  const open = await openNew(options, context)
  const target = await loadTarget({ target: options.target, targets_file: options.targets }, context)
  if (!target) return EXIT.userError
  const signals = watchSignals(host, () => target.stop())
  const results = await askInTurns(inputs, target, ({ answer }) => {
    if (!options.json && answer !== null) terminal.out(printable(`${answer.trimEnd()}\n`))
  }).finally(() => signals.stop())
  if (signals.code !== undefined) return signals.code
  const logged = await logConversation(results, inputs.length, target, open)
  if (!logged) return reportUnanswered(results, context)
  const file = terminal.path(logged.file)
  if (options.json) terminal.json({ ...logged, file })
  else terminal.err(printable(`Logged as run ${logged.run} of ${logged.name} (${file})\n`))
  return EXIT.ok
}

function reportUnanswered(results: readonly Result[], { terminal }: CommandContext): ExitCode {
  const error = results.at(-1)?.error
  terminal.err(
    printable(
      `No answer to turn ${results.length}: ${error?.message ?? 'the turn was not sent'}. Nothing was logged.\n`,
    ),
  )
  return error?.code === 'bug' ? EXIT.bug : EXIT.incomplete
}
