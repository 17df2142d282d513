import { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { example } from '../../options.ts'
import { diffCommand } from './diff.ts'
import { evalCommand } from './eval.ts'
import { expectCommand } from './expect.ts'
import { importCommand } from './import.ts'
import { listCommand } from './list.ts'
import { messagesCommand } from './messages.ts'
import { runCommand } from './run.ts'
import { showCommand } from './show.ts'
import { toEvalCommand } from './to-eval.ts'

export function logCommand(context: CommandContext): Command {
  const log = new Command('log')
    .description('Show conversations logged in .co/evals, set expected answers, and run them again.')
    .addHelpText(
      'after',
      example('assay log run "Say hello to Alice"', 'assay log expect say_hello_to_alice', 'assay log eval'),
    )
  const commands = [
    listCommand,
    showCommand,
    messagesCommand,
    diffCommand,
    expectCommand,
    evalCommand,
    toEvalCommand,
    runCommand,
    importCommand,
  ]
  for (const command of commands) log.addCommand(command(context))
  return log
}
