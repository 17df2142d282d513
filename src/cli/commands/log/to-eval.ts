import type { Command } from 'commander'
import { printableLine } from '../../../lib/text/escape.ts'
import { plural } from '../../../lib/text/format.ts'
import type { CommandContext } from '../../command-context.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { example } from '../../options.ts'
import { LOGS_ARGUMENT, type LogOptions, logReader, openFound, reportBroken } from './subcommand.ts'

interface Options extends LogOptions {
  readonly output?: string
  readonly force?: boolean
}

export function toEvalCommand(context: CommandContext): Command {
  return logReader('to-eval', 'Convert logs to a suite with a test for each turn.')
    .argument('[logs...]', LOGS_ARGUMENT)
    .option('-o, --output <file>', 'output file (default: stdout)')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', example('assay log to-eval -o EVAL.yaml'))
    .action((names, options) => context.run(() => writeSuite(names, options, context)))
}

async function writeSuite(names: readonly string[], options: Options, context: CommandContext): Promise<ExitCode> {
  const { host, terminal } = context
  const [{ findLogs }, { suiteOfLogs }, { writeOutput }] = await Promise.all([
    import('../../../operations/logs/find-logs.ts'),
    import('../../../operations/logs/to-eval.ts'),
    import('../../../operations/write-output.ts'),
  ])
  const { output, force = false } = options
  const open = await openFound(options, context)
  const found = await findLogs(names, open)
  reportBroken(found, context)
  const { text, tests } = await suiteOfLogs(found.logs, output, open)
  const hasBroken = found.broken.length > 0
  if (tests === 0) {
    terminal.err(`No log in ${printableLine(terminal.path(open.folder.path))} has an answer to make a test of.\n`)
    return hasBroken ? EXIT.userError : EXIT.nothing
  }
  if (output === undefined) terminal.out(text)
  else {
    terminal.out(`wrote ${printableLine(terminal.path(await writeOutput(output, text, force, host)))}\n`)
    terminal.err(`${plural(tests, 'test')} from ${plural(found.logs.length, 'log')}\n`)
  }
  return hasBroken ? EXIT.userError : EXIT.ok
}
