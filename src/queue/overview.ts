import type { Connection } from './connection.ts'
import { RunKeys } from './run-keys.ts'

/** The number of jobs of one target of a run. */
export interface QueueCounts {
  readonly run: string
  readonly target: string
  readonly waiting: number
  readonly running: number
  readonly failed: number
}

/** The runs, jobs and workers of a queue. */
export interface QueueOverview {
  readonly runs: readonly { readonly run: string; readonly undelivered: number }[]
  readonly targets: readonly QueueCounts[]
  readonly workers: readonly string[]
}

export async function queueOverview(connection: Connection): Promise<QueueOverview> {
  const runs: QueueOverview['runs'][number][] = []
  const targets: QueueCounts[] = []
  for (const run of await RunKeys.all(connection)) {
    const keys = new RunKeys(run, connection)
    const announcement = await keys.announcement()
    runs.push({ run, undelivered: await connection.redis.xlen(keys.mail) })
    for (const { name, target } of announcement && 'queues' in announcement ? announcement.queues : []) {
      const counts = await keys.queue(name).getJobCounts('waiting', 'active', 'failed')
      const { waiting = 0, active: running = 0, failed = 0 } = counts
      targets.push({ run, target, waiting, running, failed })
    }
  }
  return { runs, targets, workers: await connectedWorkers(connection) }
}

const WORKER = /(?:^| )name=assay-worker:(\S*)/

/** The names of all connected workers, busy or idle. */
async function connectedWorkers({ redis }: Connection): Promise<string[]> {
  const clients = String(await redis.client('LIST')).split('\n')
  return [...new Set(clients.flatMap(client => WORKER.exec(client)?.[1] ?? []))].sort()
}
