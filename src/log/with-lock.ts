import type { Host } from '../model/host.ts'
import { NoLog } from './no-log.ts'

const LONGEST_WAIT_MS = 60_000
const LONGEST_NAP_MS = 20

/** Does something while nobody else does it: waits for whoever holds the lock. One that a killed process left is taken over. */
export async function withLock<Value>(path: string, host: Host, work: () => Promise<Value>): Promise<Value> {
  const start = host.elapsed()
  for (;;) {
    const lock = await host.lock(path)
    if ('release' in lock) {
      try {
        return await work()
      } finally {
        await lock.release()
      }
    }
    if (host.elapsed() - start > LONGEST_WAIT_MS)
      throw new NoLog(`${lock.holder} has held ${path} for too long. If it does not work on it, remove that file.`)
    // Not all at the same moment.
    await host.sleep(1 + host.random() * LONGEST_NAP_MS)
  }
}
