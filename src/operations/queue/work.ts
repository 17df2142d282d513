import type { Host } from '../../model/host.ts'
import type { Result } from '../../model/result.ts'
import { connect } from '../../queue/connection.ts'
import { runWorker } from '../../queue/worker.ts'
import { findProjectFolders } from '../../record/project-folders.ts'
import { loadConfigIn } from '../config.ts'
import { runtimeOn } from '../runtime.ts'
import { version } from '../version.ts'
import { resolveQueue } from './queue.ts'
import { WorkerCheckout } from './worker-checkout.ts'

export interface WorkOptions {
  /** The URL of the queue. Default: `ASSAY_QUEUE`. */
  readonly queue?: string | undefined
  /** How many attempts are made at once. Default: the configuration, else twice the cores. */
  readonly workers?: number | undefined
  /** Default: the machine and the process. */
  readonly name?: string | undefined
  readonly targets_file?: string | undefined
  /** Ends when the queues are empty, and where no run comes within this time. */
  readonly once_seconds?: number | undefined
  /** How long the worker may be silent before others take its attempts. */
  readonly lease_seconds: number
}

/** Watches a worker. */
export interface WorkObserver {
  onMessage(message: string): void
  onResult(result: Result): void
  /** More secrets are known: `redact` takes them out of texts. */
  onSecrets(redact: (text: string) => string): void
}

/** How a worker is told to end. */
export interface WorkSignals {
  /** Finishes what has begun. */
  readonly finish: AbortSignal
  /** Gives back what has begun. */
  readonly giveBack: AbortSignal
}

/** A worker that is connected to its queue. */
export interface Worker {
  readonly name: string
  readonly workers: number
  /** Makes attempts until it is told to end, or the queues are empty; `left` where attempts remain that it cannot make. */
  work(signals: WorkSignals): Promise<'done' | 'left'>
  close(): void
}

/** Connects a worker, which makes attempts of runs that coordinators have put into the queue. */
export async function connectWorker(options: WorkOptions, observer: WorkObserver, host: Host): Promise<Worker> {
  const { url, secrets } = await resolveQueue(options.queue, host)
  const folders = await findProjectFolders(undefined, host)
  const { config } = await loadConfigIn(folders.settings_folder, host)
  const workers = options.workers ?? config.workers ?? 2 * host.cores
  const name = options.name ?? host.process_name
  const say = (text: string) => observer.onMessage(text)
  const checkout = new WorkerCheckout({
    folders,
    runtime: runtimeOn(host),
    secrets,
    targets_file: options.targets_file,
    workers,
    onSecrets: ({ text }) => observer.onSecrets(text),
  })
  const connection = await connect({ url, name: `assay-worker:${name}`, host, say })
  const { once_seconds, lease_seconds } = options
  return {
    name,
    workers,
    work: signals =>
      runWorker(connection, {
        name,
        version,
        workers,
        lease_ms: lease_seconds * 1000,
        once_ms: once_seconds === undefined ? undefined : once_seconds * 1000,
        host,
        checkout,
        ...signals,
        say,
        onResult: result => observer.onResult(result),
      }),
    close: () => connection.close(),
  }
}
