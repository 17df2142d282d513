import type { Command } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import type { ImportedRun } from '../../../operations/logs/import-run.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openRun } from '../../open-run.ts'
import { example, RUN_ARGUMENT } from '../../options.ts'
import { type LogOptions, logWriter, openNew } from './subcommand.ts'

interface Options extends LogOptions {
  readonly runsDir?: string
}

export function importCommand(context: CommandContext): Command {
  return logWriter('import', 'Log attempts of an earlier run that are not logged yet.')
    .argument('<run>', RUN_ARGUMENT)
    .option('--runs-dir <folder>', 'folder of the runs (default: .assay/runs)')
    .option('--json', 'print what was logged as one JSON document')
    .addHelpText('after', example('assay log import latest'))
    .action((run, options) => context.run(() => logRun(run, options, context)))
}

async function logRun(run: string, options: Options, context: CommandContext): Promise<ExitCode> {
  const { terminal } = context
  const { importRun } = await import('../../../operations/logs/import-run.ts')
  const open = await openNew(options, context)
  const reader = await openRun(run, options.runsDir, context)
  try {
    const imported = await importRun(reader, open)
    if (!imported) {
      terminal.err('The run has no results to log.\n')
      return EXIT.nothing
    }
    terminal.out(
      options.json
        ? importedJson(imported)
        : `${printableLine(importedText(imported, terminal.path(open.folder.path)))}\n`,
    )
    return EXIT.ok
  } finally {
    reader.close()
  }
}

function importedJson({ count, known, names }: ImportedRun): string {
  return `${JSON.stringify({ attempts: count, already_logged: known, logs: [...names].sort() }, null, 2)}\n`
}

function importedText({ count, known, names }: ImportedRun, folder: string): string {
  if (count === 0) return `nothing to log: ${plural(known, 'attempt')} already in ${folder}`
  const before = known === 0 ? '' : ` (${plural(known, 'attempt')} logged before)`
  return `logged ${plural(count, 'attempt')} in ${plural(names.size, 'log')} in ${folder}${before}`
}
