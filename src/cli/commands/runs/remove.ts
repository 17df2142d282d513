import { Command } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import { formatBytes, plural } from '../../../lib/text/format.ts'
import type { RemovedRuns } from '../../../operations/runs.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example, positiveNumber } from '../../options.ts'
import { type FilterOptions, runsOptions, withFilterOptions } from './run-filter.ts'

interface Options extends FilterOptions {
  readonly dryRun?: boolean
  readonly keep?: number
}

const DRY_RUN = 'print what would be removed, and remove nothing'

export function rmCommand(context: CommandContext): Command {
  const command = new Command('rm')
    .description('Remove runs that are named, or that match all of the options.')
    .argument('[runs...]', 'runs: their ids or the beginnings of them, or latest')
  return withFilterOptions(command)
    .option('--dry-run', DRY_RUN)
    .addHelpText('after', example('assay runs rm latest', 'assay runs rm --label try --older-than 7d --dry-run'))
    .action((names, options) => context.run(() => remove(names, options, context)))
}

export function pruneCommand(context: CommandContext): Command {
  const command = new Command('prune')
    .description('Remove all runs but the newest, or all but the newest of those that match the options.')
    .requiredOption('--keep <n>', 'number of runs to keep', positiveNumber)
  return withFilterOptions(command)
    .option('--dry-run', DRY_RUN)
    .addHelpText('after', example('assay runs prune --keep 20', 'assay runs prune --keep 5 --branch main --dry-run'))
    .action(options => context.run(() => remove([], options, context)))
}

async function remove(names: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const { removeRuns } = await import('../../../operations/runs.ts')
  const { keep, dryRun: dry_run = false } = options
  const removed = await removeRuns({ ...runsOptions(options), names, keep, dry_run }, host)
  terminal.out(removedText(removed, dry_run, terminal.path))
  const isInUse = removed.removals.some(({ kind }) => kind === 'in-use')
  return isInUse && names.length > 0 ? EXIT.userError : EXIT.ok
}

function removedText({ removals, runs_folder }: RemovedRuns, isDry: boolean, path: (file: string) => string): string {
  const folder = printableLine(path(runs_folder))
  if (removals.length === 0) return `No runs to remove in ${folder}.\n`
  const verb = isDry ? 'would remove' : 'removed'
  const lines = removals.map(removal => {
    const id = printableLine(removal.id)
    if (removal.kind === 'in-use') return `kept ${id}: ${removal.holder} works on it\n`
    if (removal.kind === 'gone') return `${id} was already removed by another process\n`
    return `${verb} ${id} (${formatBytes(removal.bytes)})\n`
  })
  const sizes = removals.flatMap(removal => (removal.kind === 'removed' ? [removal.bytes] : []))
  const total = formatBytes(sizes.reduce((sum, bytes) => sum + bytes, 0))
  return `${lines.join('')}${plural(sizes.length, 'run')} in ${folder}, ${total} ${isDry ? 'to free' : 'freed'}\n`
}
