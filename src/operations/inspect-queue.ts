import { connect } from '../queue/connection.ts'
import { type QueueOverview, queueOverview } from '../queue/overview.ts'
import type { QueueUrl } from './queue-url.ts'

/** What waits, runs and failed in a queue, and which workers are connected. */
export async function inspectQueue({ url }: QueueUrl, onMessage: (message: string) => void): Promise<QueueOverview> {
  const connection = await connect({ url, name: 'assay-queue', say: onMessage })
  try {
    return await queueOverview(connection)
  } finally {
    connection.close()
  }
}
