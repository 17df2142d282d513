import { Command } from 'commander'
import { createRedactor } from '../../lib/redaction/redactor.ts'
import { printableLine, terminalSafeJson } from '../../lib/text/escape.ts'
import { plural } from '../../lib/text/format.ts'
import type { inspectQueue } from '../../operations/queue/queue.ts'
import type { CommandContext } from '../command-context.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { example, queueOption } from '../options.ts'

interface Options {
  readonly queue?: string
  readonly json?: boolean
}

export function queueCommand(context: CommandContext): Command {
  return new Command('queue')
    .description('Show waiting, running and failed attempts of a queue, and its workers.')
    .addOption(queueOption('queue to show'))
    .option('--json', 'print one JSON document')
    .addHelpText('after', example('assay queue --queue redis://127.0.0.1:6379'))
    .action(options => context.run(() => showQueue(options, context)))
}

async function showQueue(options: Options, { host, terminal }: CommandContext): Promise<ExitCode> {
  const [{ resolveQueue }, { inspectQueue }] = await Promise.all([
    import('../../operations/queue/queue.ts'),
    import('../../operations/queue/queue.ts'),
  ])
  const queue = await resolveQueue(options.queue, host)
  terminal.redactWith(createRedactor(queue.secrets).text)
  const overview = await inspectQueue(queue, message => terminal.err(`${message}\n`), host)
  terminal.out(options.json ? terminalSafeJson(`${JSON.stringify(overview)}\n`) : overviewText(overview))
  return EXIT.ok
}

function overviewText({ runs, targets, workers }: Awaited<ReturnType<typeof inspectQueue>>): string {
  const lines = runs.flatMap(({ run, undelivered }) => [
    `${run}${undelivered > 0 ? `: ${plural(undelivered, 'message')} for its coordinator` : ''}`,
    ...targets
      .filter(target => target.run === run)
      .map(
        ({ target, waiting, running, failed }) =>
          `  ${target}: ${waiting} waiting, ${running} running, ${failed} failed`,
      ),
  ])
  const who = workers.length > 0 ? `${plural(workers.length, 'worker')}: ${workers.join(', ')}` : 'No workers.'
  return [...(lines.length > 0 ? lines : ['No runs.']), who].map(line => `${printableLine(line)}\n`).join('')
}
