import { nodeHost } from '../host/node.ts'
import { createRedactor } from '../lib/redaction/redactor.ts'
import { printableLine, terminalSafeJson } from '../lib/text/escape.ts'
import { plural } from '../lib/text/format.ts'
import type { Host } from '../model/host.ts'
import { connect } from '../queue/connection.ts'
import { type QueueOverview, queueOverview } from '../queue/overview.ts'
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
    terminal.redact = createRedactor(secrets).text
    const connection = await connect({ url, name: 'assay-queue', say: text => terminal.err(`${text}\n`) })
    try {
      const overview = await queueOverview(connection)
      terminal.out(options.json ? terminalSafeJson(`${JSON.stringify(overview)}\n`) : overviewText(overview))
      return EXIT.ok
    } finally {
      connection.close()
    }
  })
}

function overviewText({ runs, targets, workers }: QueueOverview): string {
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
  return [...(lines.length > 0 ? lines : ['No run is there.']), who].map(line => `${printableLine(line)}\n`).join('')
}
