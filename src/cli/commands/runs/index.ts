import { Command } from 'commander'
import type { CommandContext } from '../../command-context.ts'
import { example } from '../../options.ts'
import { listCommand } from './list.ts'
import { pruneCommand, rmCommand } from './remove.ts'
import { showCommand } from './show.ts'

export function runsCommand(context: CommandContext): Command {
  return new Command('runs')
    .description('List, show and remove runs. Without a command, list them.')
    .addCommand(listCommand(context), { isDefault: true })
    .addCommand(showCommand(context))
    .addCommand(rmCommand(context))
    .addCommand(pruneCommand(context))
    .addHelpText('after', example('assay runs', 'assay runs --label nightly', 'assay runs prune --keep 20'))
}
