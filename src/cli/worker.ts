import { hostname } from 'node:os'
import { evaluators } from '../evaluators/index.ts'
import { nodeHost } from '../host/node.ts'
import { printableLine } from '../lib/text/escape.ts'
import type { Host } from '../model/host.ts'
import { attemptName, type Result } from '../model/result.ts'
import { loadConfig } from '../parse/config.ts'
import { providers } from '../providers/index.ts'
import { connect } from '../queue/connection.ts'
import { runWorker } from '../queue/worker.ts'
import { findProjectFolders } from '../record/project-folders.ts'
import { EXIT, type ExitCode } from './exit-codes.ts'
import { orMistake } from './or-mistake.ts'
import { queueHere } from './queue-place.ts'
import { hasMistakes } from './read-config.ts'
import { watchSignals } from './signals.ts'
import { terminal } from './terminal/terminal.ts'
import { version } from './version.ts'
import { WorkerCheckout } from './worker-checkout.ts'

export interface WorkerCommandOptions {
  readonly queue?: string
  readonly workers?: number
  readonly name?: string
  readonly targets?: string
  readonly once?: boolean
  readonly wait: number
  readonly lease: number
  readonly quiet?: boolean
}

/** `assay worker`: makes attempts of runs that a coordinator has put into the queue. */
export function workerCommand(options: WorkerCommandOptions, host: Host = nodeHost()): Promise<ExitCode> {
  return orMistake(async () => {
    const { url, secrets } = await queueHere(options.queue, host)
    const place = await findProjectFolders(undefined, host)
    const loadedConfig = await loadConfig(place.settings_folder, host)
    if (hasMistakes(loadedConfig)) return EXIT.mistakes
    const workers = options.workers ?? loadedConfig.config.workers ?? 2 * host.cores
    const name = options.name ?? `${hostname()}-${process.pid}`
    const say = (text: string) => terminal.err(`${printableLine(text)}\n`)
    const checkout = new WorkerCheckout({
      place,
      world: { host, evaluators, providers, secrets },
      targets_file: options.targets,
      workers,
      onSecrets: ({ text }) => {
        terminal.redact = text
      },
    })
    const connection = await connect({ url, name: `assay-worker:${name}`, say })
    const signals = watchSignals(
      () => say('Finishing what has begun. Again to give it back.'),
      () => say('Giving back what has begun. Again to stop at once.'),
    )
    try {
      say(`${name} waits for work, ${workers} at once.`)
      const end = await runWorker(connection, {
        name,
        version,
        workers,
        lease_ms: options.lease * 1000,
        once_ms: options.once ? options.wait * 1000 : undefined,
        host,
        checkout,
        finish: signals.signal,
        giveBack: signals.second,
        say,
        onResult: result => {
          if (!options.quiet) say(resultText(result))
        },
      })
      if (end === 'left') say('What is left cannot be made here.')
      return signals.code ?? (end === 'left' ? EXIT.incomplete : EXIT.ok)
    } finally {
      signals.stop()
      connection.close()
    }
  })
}

function resultText(result: Result): string {
  return `${result.verdict} ${attemptName(result)}`
}
