import type { Host } from '../model/host.ts'
import { NoLog } from './no-log.ts'

const LONGEST_WAIT_MS = 60_000
const LONGEST_NAP_MS = 20

/**
 * Works while it holds a lock, for which it waits; a lock that a killed process left is taken over. Undefined where
 * `isOver` before the lock is free.
 */
export async function withLock<Value>(
  path: string,
  host: Host,
  work: () => Promise<Value>,
  isOver: () => boolean = () => false,
): Promise<Value | undefined> {
  const start = host.clock.elapsed()
  for (;;) {
    const lock = await host.locks.take(path)
    if ('release' in lock) {
      try {
        return await work()
      } finally {
        await lock.release()
      }
    }
    if (isOver()) return undefined
    if (host.clock.elapsed() - start > LONGEST_WAIT_MS)
      throw new NoLog(`${lock.holder} has held ${path} for too long. If it is not at work, remove that file.`)
    // At random, so that several waiting processes do not try at the same moment.
    await host.clock.sleep(1 + host.random() * LONGEST_NAP_MS)
  }
}
