import type { Queue } from 'bullmq'
import type { Job } from './protocol.ts'
import type { RunKeys } from './run-keys.ts'

/** A job goes from worker to worker until one can run it, so its number of tries is practically unlimited. */
const MAX_JOB_ATTEMPTS = 1_000_000

const ADD_JOBS = 500

export interface NewJob {
  readonly id: string
  readonly data: Job
}

interface AddOptions {
  /** How long the jobs live. */
  readonly expiry_ms: number
  /** Whether they are the next ones, instead of the last. */
  readonly isNext?: boolean
}

/** Adds jobs to a queue. Jobs whose id is already in it stay as they are. */
export async function addJobs(
  queue: Queue<Job>,
  jobs: readonly NewJob[],
  keys: RunKeys,
  { expiry_ms, isNext = false }: AddOptions,
): Promise<void> {
  const opts = { attempts: MAX_JOB_ATTEMPTS, removeOnComplete: true, stackTraceLimit: 0, lifo: isNext }
  const ordered = isNext ? jobs.toReversed() : jobs
  for (let at = 0; at < ordered.length; at += ADD_JOBS) {
    const some = ordered.slice(at, at + ADD_JOBS)
    await queue.addBulk(some.map(({ id, data }) => ({ name: 'attempts', data, opts: { ...opts, jobId: id } })))
    const added = some.map(({ id }) => queue.toKey(id))
    await keys.expire([], added, expiry_ms)
  }
}

/** The id of a job: the same for the same first attempt. The prefix is needed: Redis reads digits as a number. */
export function jobId({ attempts: [first] }: Job): string {
  return `attempt-${first?.id}`
}
