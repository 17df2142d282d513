import { Command } from 'commander'
import type { ExitCode } from './exit-codes.ts'
import { example, positiveNumber, queue, wholeNumber, workerName } from './option-values.ts'

export function workerCommand(finish: (code: ExitCode) => void): Command {
  return new Command('worker')
    .description('Make attempts of runs that `assay eval --queue` has begun anywhere, from this checkout.')
    .addOption(queue('where the attempts wait'))
    .option('--workers <n>', 'how many attempts are made at once; default: twice the cores', positiveNumber)
    .option('--name <name>', 'what records call this worker; default: the machine and the process', workerName)
    .option('--targets <file>', 'the targets file; default: the nearest .assay/targets.yaml')
    .option('--once', 'end when the queues are empty')
    .option('--wait <seconds>', 'with --once: how long to wait for a first run', wholeNumber, 60)
    .option('--lease <seconds>', 'how long it may be silent before others take its attempts', positiveNumber, 30)
    .option('-q, --quiet', 'no line for each attempt')
    .addHelpText('after', HELP)
    .action(async options => {
      const { workerCommand } = await import('./worker.ts')
      finish(await workerCommand(options))
    })
}

export function queueCommand(finish: (code: ExitCode) => void): Command {
  return new Command('queue')
    .description('Show what waits, runs and failed in a queue, and who works.')
    .addOption(queue('the queue'))
    .option('--json', 'as one JSON document')
    .addHelpText('after', example('assay queue --queue redis://127.0.0.1:6379'))
    .action(async options => {
      const { queueCommand } = await import('./queue.ts')
      finish(await queueCommand(options))
    })
}

const HELP = `
It makes only what is written in suites below the root of this repository, on targets of its own files, with keys of its own.
${example(
  'assay worker --queue redis://127.0.0.1:6379 --workers 8',
  'ASSAY_QUEUE=rediss://:secret@redis.example:6380 assay worker --once',
)}`
