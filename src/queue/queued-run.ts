import type { Queue } from 'bullmq'
import { canonicalJson } from '../lib/json/stringify.ts'
import { shortHash } from '../lib/sha256.ts'
import type { Attempt } from '../model/attempt.ts'
import { attemptsOf, conversationOf, unitsByTarget } from '../plan/units.ts'
import type { Connection } from './connection.ts'
import {
  type Announcement,
  type AttemptRef,
  type Job,
  type RunSettings,
  resultId,
  type WorkerMessage,
  workerMessageSchema,
} from './protocol.ts'
import { EXPIRY_MS, RunKeys } from './run-keys.ts'

/** A job is given to worker after worker; that one cannot do it is no reason to give it up. */
const MAX_JOB_ATTEMPTS = 1_000_000

const JOB_BATCH = 500
const MESSAGE_BATCH = 100

export interface QueuedRunOptions {
  readonly run_id: string
  readonly version: string
  readonly asked: RunSettings
  /** What a worker finds an attempt by. */
  refOf(attempt: Attempt): AttemptRef
}

/** What was taken out of the mail, and how to say that it is dealt with. */
export interface ReceivedMessage {
  readonly mail: WorkerMessage | undefined
  done(): Promise<void>
}

/** A job that is lost for good. */
export interface LostJob {
  readonly attempts: readonly Attempt[]
  readonly reason: string
}

export type AttemptFilter = (attempt: Attempt) => boolean

interface TargetQueue {
  readonly queue: Queue<Job>
  readonly target: Attempt['target']
}

interface QueuedJob {
  readonly queue: Queue<Job>
  readonly attempts: readonly Attempt[]
}

/** A run as Redis has it: its jobs, and the mail of the workers. */
export class QueuedRun {
  readonly #keys: RunKeys
  readonly #mail: Queue<WorkerMessage>
  readonly #options: QueuedRunOptions
  readonly #targets = new Map<string, TargetQueue>()
  readonly #jobs = new Map<string, QueuedJob>()

  constructor(attempts: readonly Attempt[], options: QueuedRunOptions, connection: Connection) {
    this.#options = options
    this.#keys = new RunKeys(options.run_id, connection)
    this.#mail = this.#keys.mail()
    for (const { target, units } of unitsByTarget(attempts)) {
      const name = `target-${shortHash(canonicalJson(target.written))}`
      const { queue } = this.#targets.get(name) ?? { queue: this.#keys.queue(name) }
      this.#targets.set(name, { queue, target })
      for (const unit of units) this.#jobs.set(jobId(attemptsOf(unit)), { queue, attempts: attemptsOf(unit) })
    }
  }

  /** Takes back what this or an earlier coordinator of the run has given out and nobody has begun: the plan may be another one by now. */
  async takeBack(): Promise<void> {
    const before = await this.#keys.announcement()
    const announced = before && 'queues' in before ? before.queues.map(({ name }) => name) : []
    for (const name of new Set([...announced, ...this.#targets.keys()])) {
      const queue = this.#keys.queue(name)
      await queue.drain()
      await queue.close()
    }
  }

  /** Tells the workers, and gives them what is not made yet. What they have already, they keep. */
  async offer(isOutstanding: AttemptFilter): Promise<void> {
    for (const { queue, target } of this.#targets.values()) {
      const { workers } = target.settings
      if (workers !== undefined) await queue.setGlobalConcurrency(workers)
      const jobs = [...this.#jobs].flatMap(([id, job]) => {
        const attempts = job.queue === queue ? job.attempts.filter(isOutstanding) : []
        return attempts.length > 0 ? { id, attempts } : []
      })
      for (let at = 0; at < jobs.length; at += JOB_BATCH) await this.#add(queue, jobs.slice(at, at + JOB_BATCH))
    }
    await this.#announce(false)
    await this.expire()
  }

  async #add(queue: Queue<Job>, jobs: readonly { id: string; attempts: readonly Attempt[] }[]): Promise<void> {
    const opts = { attempts: MAX_JOB_ATTEMPTS, removeOnComplete: true, stackTraceLimit: 0 }
    const bulk = jobs.map(({ id, attempts }) => ({
      name: 'attempts',
      data: { attempts: attempts.map(this.#options.refOf) },
      opts: { ...opts, jobId: id },
    }))
    await queue.addBulk(bulk)
    await this.#expireJobs(
      queue,
      jobs.map(({ id }) => id),
    )
  }

  /** Without it, Redis has lost what it had. */
  async isKnown(): Promise<boolean> {
    return (await this.#keys.announcement()) !== undefined
  }

  /** What BullMQ has made anew ends with the run, too. */
  async expire(): Promise<void> {
    await this.#keys.expire([this.#mail, ...this.#queues], [], EXPIRY_MS)
  }

  /** Another day for everything that Redis has of the run. */
  async keepAlive(isOutstanding: AttemptFilter): Promise<void> {
    await this.#announce(false)
    await this.expire()
    for (const queue of this.#queues) {
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

  /** What workers have written, the oldest first. */
  async receive(): Promise<ReceivedMessage[]> {
    const jobs = await this.#mail.getJobs(['waiting'], 0, MESSAGE_BATCH - 1, true)
    return jobs.filter(Boolean).map(job => ({
      mail: workerMessageSchema.safeParse(job.data).data,
      done: async () => {
        await job.remove()
      },
    }))
  }

  /** Jobs that no worker survived; they are taken out. */
  async takeLost(): Promise<LostJob[]> {
    const lost: LostJob[] = []
    for (const queue of this.#queues) {
      for (const job of await queue.getFailed(0, JOB_BATCH - 1)) {
        const known = job.id === undefined ? undefined : this.#jobs.get(job.id)
        if (known) lost.push({ attempts: known.attempts, reason: job.failedReason ?? '' })
        await job.remove()
      }
    }
    return lost
  }

  /** Whether the result of an attempt is in the mail. */
  async hasResult({ id }: Attempt): Promise<boolean> {
    return (await this.#mail.getJob(resultId(id))) !== undefined
  }

  /** Gives attempts to workers again whose job is gone. */
  async offerAgain(attempts: readonly Attempt[]): Promise<void> {
    const id = jobId(attempts)
    const job = this.#jobs.get(id)
    if (job) await this.#add(job.queue, [{ id, attempts }])
  }

  /** Takes back jobs that no worker has begun, where that is wanted of all that is left of them; gives what it was. */
  async withdraw(isOutstanding: AttemptFilter, isWanted: AttemptFilter): Promise<Attempt[]> {
    const removals: Promise<readonly Attempt[]>[] = []
    for (const [id, { queue, attempts }] of this.#jobs) {
      const left = attempts.filter(isOutstanding)
      if (left.length === 0 || !left.every(isWanted)) continue
      removals.push(queue.remove(id).then(count => (count > 0 ? left : [])))
    }
    return (await Promise.all(removals)).flat()
  }

  /** How many jobs workers are at. */
  async active(): Promise<number> {
    const counts = await Promise.all(this.#queues.map(queue => queue.getActiveCount()))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  /** Whether neither a job nor mail is there. */
  async isEmpty(): Promise<boolean> {
    for (const queue of [this.#mail, ...this.#queues]) {
      const counts = await queue.getJobCounts('waiting', 'active', 'failed')
      if (Object.values(counts).some(count => count > 0)) return false
    }
    return true
  }

  /** Tells the workers that it is over. */
  async callOff(): Promise<void> {
    await this.#announce(true)
  }

  /** How many workers are at it, busy or not; undefined where Redis does not tell. */
  async workers(): Promise<number | undefined> {
    const counts = await Promise.all(this.#queues.map(queue => queue.getWorkersCount())).catch(() => undefined)
    return counts?.reduce((most, count) => Math.max(most, count), 0)
  }

  /** Leaves nothing in Redis. */
  async remove(): Promise<void> {
    await this.#keys.remove()
  }

  async #announce(is_over: boolean): Promise<void> {
    const { run_id, version, asked } = this.#options
    const queues = Array.from(this.#targets, ([name, { target }]) => ({ name, target: target.name }))
    const announcement: Announcement = { version, run_id, is_over, queues, asked }
    await this.#keys.announce(announcement)
  }

  get #queues(): Queue<Job>[] {
    return Array.from(this.#targets.values(), ({ queue }) => queue)
  }
}

/** The same for the same attempts, so that nothing is given out twice. Redis would take digits alone for a number. */
function jobId(attempts: readonly Attempt[]): string {
  const [first] = attempts
  const conversation = first && conversationOf(first)
  return conversation === undefined ? `attempt-${first?.id}` : `conversation-${shortHash(conversation)}`
}
