import { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { example } from '../../options.ts'
import { checkCommand } from './check.ts'

export function skillCommand(context: CommandContext): Command {
  return new Command('skill')
    .description('Check skills of agents.')
    .addCommand(checkCommand(context))
    .addHelpText('after', example('assay skill check skills/csv-report'))
}
