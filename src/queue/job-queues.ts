import type { Queue } from 'bullmq'
import { canonicalJson } from '../lib/json/stringify.ts'
import { shortHash } from '../lib/sha256.ts'
import type { Attempt } from '../model/attempt.ts'
import { attemptsOf, conversationOf, type Unit, unitsByTarget } from '../plan/units.ts'
import { addJobs, jobId, type NewJob } from './add-jobs.ts'
import { inJobs } from './batches.ts'
import { type Announcement, type AttemptRef, type Job, jobSchema } from './protocol.ts'
import { EXPIRY_MS, type RunKeys } from './run-keys.ts'

const MOST_LOST = 500

export type AttemptFilter = (attempt: Attempt) => boolean

/** A job that failed because its workers were lost. */
interface LostJob {
  readonly attempts: readonly Attempt[]
  readonly reason: string
}

interface TargetQueue {
  readonly queue: Queue<Job>
  readonly target: Attempt['target']
  readonly units: Unit[]
}

export interface JobOptions {
  /** Returns what identifies an attempt to workers. */
  refOf(attempt: Attempt): AttemptRef
  /** Whether an attempt may share a job with others, and so start although it is not wanted any more. */
  isBatchable(attempt: Attempt): boolean
}

/** The jobs of a run, in one queue per target. A job is a batch of attempts, or a conversation. */
export class JobQueues {
  readonly #keys: RunKeys
  readonly #options: JobOptions
  readonly #targets = new Map<string, TargetQueue>()
  readonly #attempts: ReadonlyMap<string, Attempt>

  constructor(attempts: readonly Attempt[], keys: RunKeys, options: JobOptions) {
    this.#keys = keys
    this.#options = options
    this.#attempts = new Map(attempts.map(attempt => [attempt.id, attempt]))
    for (const { target, units } of unitsByTarget(attempts)) {
      const name = `target-${shortHash(canonicalJson(target.written))}`
      const { queue, units: others } = this.#targets.get(name) ?? { queue: keys.queue(name), units: [] }
      this.#targets.set(name, { queue, target, units: [...others, ...units] })
    }
  }

  get queues(): Queue<Job>[] {
    return Array.from(this.#targets.values(), ({ queue }) => queue)
  }

  /** The name and the target of each queue, for the announcement. */
  get names(): Announcement['queues'] {
    return Array.from(this.#targets, ([name, { target }]) => ({ name, target: target.name }))
  }

  /** The ids of the attempts in all jobs. */
  async queued(): Promise<ReadonlySet<string>> {
    const jobs = await Promise.all(this.queues.map(queue => jobsIn(queue)))
    return new Set(jobs.flat().flatMap(({ data }) => attemptIds(data)))
  }

  /** Adds jobs for all wanted attempts. */
  async add(isWanted: AttemptFilter): Promise<void> {
    for (const { queue, target, units } of this.#targets.values()) {
      const { workers } = target.settings
      if (workers !== undefined) await queue.setGlobalConcurrency(workers)
      const wanted = units.flatMap(unit => {
        const attempts = attemptsOf(unit).filter(isWanted)
        return attempts.length > 0 ? [attempts] : []
      })
      await this.#addTo(queue, [...inJobs(wanted, this.#options.isBatchable)])
    }
  }

  /** Adds attempts again whose job was removed. */
  async addAgain(attempts: readonly Attempt[]): Promise<void> {
    const isTheirs = (unit: Unit) => attemptsOf(unit).some(({ id }) => id === attempts[0]?.id)
    const found = [...this.#targets.values()].find(({ units }) => units.some(isTheirs))
    if (found) await this.#addTo(found.queue, [attempts])
  }

  async #addTo(queue: Queue<Job>, jobs: readonly (readonly Attempt[])[]): Promise<void> {
    const added = jobs.map(attempts => this.#jobOf(attempts))
    await addJobs(queue, added, this.#keys, { expiry_ms: EXPIRY_MS })
  }

  #jobOf(attempts: readonly Attempt[]): NewJob {
    const [first] = attempts
    const refs = attempts.map(this.#options.refOf)
    const isConversation = first !== undefined && conversationOf(first) !== undefined
    const data = isConversation ? { attempts: refs, is_conversation: true as const } : { attempts: refs }
    return { id: jobId(data), data }
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
    const withdrawn: Attempt[] = []
    for (const queue of this.queues) {
      for (const job of await jobsIn(queue, 'waiting')) {
        const outstanding = this.#attemptsOf(job.data).filter(isOutstanding)
        if (outstanding.length === 0 || !outstanding.every(isUnwanted)) continue
        if ((await queue.remove(job.id ?? '')) > 0) withdrawn.push(...outstanding)
      }
    }
    return withdrawn
  }

  /** Removes and returns the jobs whose workers were lost too often. */
  async takeLost(): Promise<LostJob[]> {
    const lost: LostJob[] = []
    for (const queue of this.queues) {
      for (const job of await queue.getFailed(0, MOST_LOST - 1)) {
        lost.push({ attempts: this.#attemptsOf(job.data), reason: job.failedReason ?? '' })
        await job.remove()
      }
    }
    return lost
  }

  #attemptsOf(data: unknown): Attempt[] {
    return attemptIds(data).flatMap(id => this.#attempts.get(id) ?? [])
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

  /** Whether workers are connected, or have jobs: BullMQ closes the connection of a worker before its jobs are over. */
  async hasWorkers(): Promise<boolean> {
    return ((await this.countWorkers()) ?? 0) > 0 || (await this.countActive()) > 0
  }

  /** Extends the lifetime of all jobs. */
  async keepAlive(): Promise<void> {
    for (const queue of this.queues) {
      const keys = (await jobsIn(queue)).map(({ id }) => queue.toKey(id ?? ''))
      await this.#keys.expire([], keys, EXPIRY_MS)
    }
  }
}

/** The jobs of a queue, by default all. */
async function jobsIn(queue: Queue<Job>, ...states: ('waiting' | 'active' | 'failed')[]) {
  const jobs = await queue.getJobs(states.length > 0 ? states : ['waiting', 'active', 'failed'])
  // A job may be removed while they are read.
  return jobs.filter(Boolean)
}

/** The attempts of a job; none if it is not one of ours. */
function attemptIds(data: unknown): string[] {
  return (
    jobSchema()
      .safeParse(data)
      .data?.attempts.map(({ id }) => id) ?? []
  )
}
