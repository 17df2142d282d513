import { nodeHost } from '../host/node.ts'
import { plural } from '../lib/plural.ts'
import { onOneLine, safeJson } from '../lib/printable.ts'
import { redactor } from '../lib/redactor.ts'
import type { Host } from '../model/host.ts'
import { connect } from '../queue/connection.ts'
import { type Overview, overviewOf } from '../queue/overview.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { orMistake } from './or-mistake.ts'
import { queueHere } from './queue-place.ts'
import { terminal } from './terminal/terminal.ts'

export interface QueueCommandOptions {
  readonly queue?: string
  readonly json?: boolean
}

/** `assay queue`: what waits, runs and failed, and who works. */
export function queueCommand(options: QueueCommandOptions, host: Host = nodeHost()): Promise<ExitCode> {
  return orMistake(async () => {
    const { url, secrets } = await queueHere(options.queue, host)
    terminal.redact = redactor(secrets).text
    const connection = await connect({ url, name: 'assay-queue', say: text => terminal.err(`${text}\n`) })
    try {
      const overview = await overviewOf(connection)
      terminal.out(options.json ? safeJson(`${JSON.stringify(overview)}\n`) : overviewText(overview))
      return EXIT.ok
    } finally {
      connection.close()
    }
  })
}

function overviewText({ runs, targets, workers }: Overview): string {
  const lines = runs.flatMap(({ run, undelivered }) => [
    `${run}${undelivered > 0 ? `: ${plural(undelivered, 'message')} for its coordinator` : ''}`,
    ...targets
      .filter(target => target.run === run)
      .map(
        ({ target, waiting, running, failed }) =>
          `  ${target}: ${waiting} waiting, ${running} running, ${failed} failed`,
      ),
  ])
  const who = workers.length > 0 ? `${plural(workers.length, 'worker')}: ${workers.join(', ')}` : 'No worker is there.'
  return [...(lines.length > 0 ? lines : ['No run is there.']), who].map(line => `${onOneLine(line)}\n`).join('')
}
