import { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { example } from '../../options.ts'
import { checkCommand } from './check.ts'
import { tuneCommand } from './tune.ts'

export function skillCommand(context: CommandContext): Command {
  return new Command('skill')
    .description('Check skills of agents, and tune their descriptions.')
    .addCommand(checkCommand(context))
    .addCommand(tuneCommand(context))
    .addHelpText(
      'after',
      example('assay skill check skills/csv-report', 'assay skill tune skills/csv-report --target claude --dry-run'),
    )
}
