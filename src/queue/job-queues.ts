import type { Queue } from 'bullmq'
import { canonicalJson } from '../lib/json/stringify.ts'
import { shortHash } from '../lib/sha256.ts'
import type { Attempt } from '../model/attempt.ts'

import { attemptsOf, conversationOf, unitsByTarget } from '../plan/units.ts'
import type { Announcement, AttemptRef, Job } from './protocol.ts'
import { EXPIRY_MS, type RunKeys } from './run-keys.ts'

/** A job goes from worker to worker until one can run it, so its number of tries is practically unlimited. */
const MAX_JOB_ATTEMPTS = 1_000_000

const JOB_BATCH = 500

export type AttemptFilter = (attempt: Attempt) => boolean

/** A job that failed because its workers were lost. */
interface LostJob {
  readonly attempts: readonly Attempt[]
  readonly reason: string
}

interface TargetQueue {
  readonly queue: Queue<Job>
  readonly target: Attempt['target']
}

interface QueuedJob {
  readonly queue: Queue<Job>
  readonly attempts: readonly Attempt[]
}

/** The jobs of a run, in one queue per target. A job is one attempt, or the attempts of a conversation in order. */
export class JobQueues {
  readonly #keys: RunKeys
  readonly #refOf: (attempt: Attempt) => AttemptRef
  readonly #targets = new Map<string, TargetQueue>()
  readonly #jobs = new Map<string, QueuedJob>()

  constructor(attempts: readonly Attempt[], keys: RunKeys, refOf: (attempt: Attempt) => AttemptRef) {
    this.#keys = keys
    this.#refOf = refOf
    for (const { target, units } of unitsByTarget(attempts)) {
      const name = `target-${shortHash(canonicalJson(target.written))}`
      const { queue } = this.#targets.get(name) ?? { queue: keys.queue(name) }
      this.#targets.set(name, { queue, target })
      for (const unit of units) this.#jobs.set(jobId(attemptsOf(unit)), { queue, attempts: attemptsOf(unit) })
    }
  }

  get queues(): Queue<Job>[] {
    return Array.from(this.#targets.values(), ({ queue }) => queue)
  }

  /** The name and the target of each queue, for the announcement. */
  get names(): Announcement['queues'] {
    return Array.from(this.#targets, ([name, { target }]) => ({ name, target: target.name }))
  }

  /** Adds a job for all outstanding attempts. Jobs that are already queued stay as they are. */
  async add(isOutstanding: AttemptFilter): Promise<void> {
    for (const { queue, target } of this.#targets.values()) {
      const { workers } = target.settings
      if (workers !== undefined) await queue.setGlobalConcurrency(workers)
      const jobs = [...this.#jobs].flatMap(([id, job]) => {
        const attempts = job.queue === queue ? job.attempts.filter(isOutstanding) : []
        return attempts.length > 0 ? { id, attempts } : []
      })
      for (let at = 0; at < jobs.length; at += JOB_BATCH) await this.#addBatch(queue, jobs.slice(at, at + JOB_BATCH))
    }
  }

  /** Adds attempts again whose job was removed. */
  async addAgain(attempts: readonly Attempt[]): Promise<void> {
    const id = jobId(attempts)
    const job = this.#jobs.get(id)
    if (job) await this.#addBatch(job.queue, [{ id, attempts }])
  }

  async #addBatch(queue: Queue<Job>, jobs: readonly { id: string; attempts: readonly Attempt[] }[]): Promise<void> {
    const opts = { attempts: MAX_JOB_ATTEMPTS, removeOnComplete: true, stackTraceLimit: 0 }
    const bulk = jobs.map(({ id, attempts }) => ({
      name: 'attempts',
      data: { attempts: attempts.map(this.#refOf) },
      opts: { ...opts, jobId: id },
    }))
    await queue.addBulk(bulk)
    await this.#expireJobs(
      queue,
      jobs.map(({ id }) => id),
    )
  }

  /** Removes all waiting jobs from the queues of this plan and from `others`, such as those of an earlier plan. */
  async drain(others: readonly string[]): Promise<void> {
    for (const name of new Set([...others, ...this.#targets.keys()])) {
      const queue = this.#keys.queue(name)
      await queue.drain()
      await queue.close()
    }
  }

  /** Removes waiting jobs whose outstanding attempts are all unwanted. Returns those attempts. */
  async withdraw(isOutstanding: AttemptFilter, isUnwanted: AttemptFilter): Promise<Attempt[]> {
    const removals: Promise<readonly Attempt[]>[] = []
    for (const [id, { queue, attempts }] of this.#jobs) {
      const outstanding = attempts.filter(isOutstanding)
      if (outstanding.length === 0 || !outstanding.every(isUnwanted)) continue
      removals.push(queue.remove(id).then(count => (count > 0 ? outstanding : [])))
    }
    return (await Promise.all(removals)).flat()
  }

  /** Removes and returns the jobs whose workers were lost too often. */
  async takeLost(): Promise<LostJob[]> {
    const lost: LostJob[] = []
    for (const queue of this.queues) {
      for (const job of await queue.getFailed(0, JOB_BATCH - 1)) {
        const known = job.id === undefined ? undefined : this.#jobs.get(job.id)
        if (known) lost.push({ attempts: known.attempts, reason: job.failedReason ?? '' })
        await job.remove()
      }
    }
    return lost
  }

  /** Counts the jobs that workers are running. */
  async countActive(): Promise<number> {
    const counts = await Promise.all(this.queues.map(queue => queue.getActiveCount()))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Counts the workers of the run, busy or idle. Returns undefined if Redis does not report them. */
  async countWorkers(): Promise<number | undefined> {
    const counts = await Promise.all(this.queues.map(queue => queue.getWorkersCount())).catch(() => undefined)
    return counts?.reduce((most, count) => Math.max(most, count), 0)
  }

  /** Extends the lifetime of the jobs of outstanding attempts. */
  async keepAlive(isOutstanding: AttemptFilter): Promise<void> {
    for (const queue of this.queues) {
      const jobs = [...this.#jobs].filter(([, job]) => job.queue === queue && job.attempts.some(isOutstanding))
      const ids = jobs.map(([id]) => id)
      for (let at = 0; at < ids.length; at += JOB_BATCH) await this.#expireJobs(queue, ids.slice(at, at + JOB_BATCH))
    }
  }

  async #expireJobs(queue: Queue<Job>, ids: readonly string[]): Promise<void> {
    await this.#keys.expire(
      [],
      ids.map(id => queue.toKey(id)),
      EXPIRY_MS,
    )
  }
}

/** The same id for the same attempts, so that no job is queued twice. The prefix is needed: Redis reads digits as a number. */
function jobId(attempts: readonly Attempt[]): string {
  const [first] = attempts
  const conversation = first && conversationOf(first)
  return conversation === undefined ? `attempt-${first?.id}` : `conversation-${shortHash(conversation)}`
}
