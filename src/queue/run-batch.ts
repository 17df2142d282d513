import type { Host } from '../model/host.ts'
import type { AttemptRef } from './protocol.ts'

/** How long the attempts of a batch may wait for each other. Then the others are free for other slots and workers. */
const PATIENCE_MS = 100

/** An attempt that was run, and the delivery of its result. */
export interface Ran {
  readonly delivered: Promise<void>
}

interface BatchOptions {
  readonly host: Host
  run(attempt: AttemptRef): Promise<Ran>
  /** Returns attempts that were not started to the queue. */
  giveBack(rest: readonly AttemptRef[], started: readonly AttemptRef[]): Promise<void>
}

/** Runs the attempts of a batch one after the other while their results are delivered, and gives back what takes long. */
export async function runBatch(attempts: readonly AttemptRef[], { host, run, giveBack }: BatchOptions): Promise<void> {
  const waiting = [...attempts]
  const started: AttemptRef[] = []
  const pending: Promise<void>[] = []
  const add = (work: Promise<void>) => {
    // Failures are thrown at the end.
    work.catch(() => {})
    pending.push(work)
  }
  const callOff = host.clock.setTimer(PATIENCE_MS, () => {
    if (waiting.length > 0) add(giveBack(waiting.splice(0), [...started]))
  })
  try {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      started.push(next)
      const { delivered } = await run(next)
      add(delivered)
    }
  } finally {
    callOff()
    await Promise.allSettled(pending)
  }
  await Promise.all(pending)
}
