import { Command } from 'commander'
import { printableLine } from '../../lib/text/escape.ts'
import { attemptName } from '../../model/result.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { example, positiveNumber, queueOption, TARGETS_FILE, wholeNumber, workerName } from '../options.ts'
import { watchSignals } from '../signals.ts'

interface Options {
  readonly queue?: string
  readonly workers?: number
  readonly name?: string
  readonly targets?: string
  readonly once?: boolean
  readonly wait: number
  readonly lease: number
  readonly quiet?: boolean
}

export function workerCommand(context: CommandContext): Command {
  return new Command('worker')
    .description('Make attempts of runs that were started with `assay eval --queue`, from this checkout.')
    .addOption(queueOption('queue to take attempts from'))
    .option('--workers <n>', 'maximum number of attempts at once (default: twice the cores)', positiveNumber)
    .option('--name <name>', 'name of this worker in records (default: machine and process)', workerName)
    .option('--targets <file>', TARGETS_FILE)
    .option('--once', 'exit when the queues are empty')
    .option('--wait <seconds>', 'with --once: time to wait for a first run', wholeNumber, 60)
    .option('--lease <seconds>', 'time without a sign of life before others take its attempts', positiveNumber, 30)
    .option('-q, --quiet', 'print no line for each attempt')
    .addHelpText('after', HELP)
    .action(options => context.run(() => startWorker(options, context)))
}

const HELP = `
A worker runs only suites below the root of this repository, with its own targets files and keys.
${example(
  'assay worker --queue redis://127.0.0.1:6379 --workers 8',
  'ASSAY_QUEUE=rediss://:secret@redis.example:6380 assay worker --once',
)}`

async function startWorker(options: Options, { host, terminal }: CommandContext): Promise<ExitCode> {
  const { connectWorker } = await import('../../operations/queue/work.ts')
  const say = (text: string) => terminal.err(`${printableLine(text)}\n`)
  const { queue, workers, name, targets: targets_file, lease: lease_seconds } = options
  const once_seconds = options.once ? options.wait : undefined
  const worker = await connectWorker(
    { queue, workers, name, targets_file, once_seconds, lease_seconds },
    {
      onMessage: say,
      onResult: result => {
        if (!options.quiet) say(`${result.verdict} ${attemptName(result)}`)
      },
      onSecrets: redact => terminal.redactWith(redact),
    },
    host,
  )
  const signals = watchSignals(
    host,
    () => say('Finishing running attempts. Press Ctrl-C again to return them to the queue.'),
    () => say('Returning running attempts to the queue. Press Ctrl-C again to stop at once.'),
  )
  try {
    say(`Worker ${worker.name} is waiting for jobs, up to ${worker.workers} at once.`)
    const end = await worker.work({ finish: signals.signal, giveBack: signals.second })
    if (end === 'left') say('The remaining attempts cannot be run on this machine.')
    return signals.code ?? (end === 'left' ? EXIT.incomplete : EXIT.ok)
  } finally {
    signals.stop()
    worker.close()
  }
}
