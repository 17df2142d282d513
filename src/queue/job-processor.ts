import type { Job as BullJob } from 'bullmq'
import { NotRun } from '../run/ask.ts'
import type { RequestLimits } from '../run/policies/request-limits.ts'
import { AttemptRunner } from './attempt-runner.ts'
import type { Connection } from './connection.ts'
import type { Lease, Outbox } from './outbox.ts'
import { type Announcement, type AttemptRef, type Job, jobSchema } from './protocol.ts'
import { runBatch } from './run-batch.ts'
import type { WorkerOptions } from './worker-options.ts'

/** How long a queue is paused after a refused job. Doubles with each refusal in a row. */
const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 5000

/** The queue of a job. */
export interface JobSource {
  /** Takes no jobs from it for a while. */
  pause(ms: number): Promise<void>
  /** Adds jobs that are the next ones. */
  add(jobs: readonly Job[]): Promise<void>
}

/** A job that this worker has. */
interface HeldJob {
  readonly job: BullJob<Job>
  readonly lease: Lease
  readonly source: JobSource
  readonly signal: AbortSignal
}

/** Runs the attempts of jobs, and leaves jobs that this worker cannot run to other workers. */
export class JobProcessor {
  readonly #connection: Connection
  readonly #options: WorkerOptions
  readonly #outbox: Outbox
  readonly #runner: AttemptRunner
  /** Abort controllers of the running jobs, by job id. */
  readonly #running = new Map<string, AbortController>()
  readonly #reported = new Set<string>()
  #refusals = 0

  constructor(
    announcement: Announcement,
    connection: Connection,
    options: WorkerOptions,
    outbox: Outbox,
    requests: RequestLimits,
  ) {
    this.#connection = connection
    this.#options = options
    this.#outbox = outbox
    this.#runner = new AttemptRunner(announcement, options, outbox, requests)
  }

  /** How many jobs in a row were refused. */
  get refusals(): number {
    return this.#refusals
  }

  get isStopped(): boolean {
    return this.#runner.isStopped
  }

  /** Stops all running attempts. Their jobs go back to the queue. */
  stop(): void {
    this.#runner.stop()
  }

  /** Stops jobs whose lease was lost: other workers have them now. */
  cancel(ids: readonly string[]): void {
    for (const id of ids) this.#running.get(id)?.abort(new NotRun('stopped'))
  }

  /** Runs a job. Throws what tells BullMQ to return it to the queue, or why this worker refuses it. */
  async process(job: BullJob<Job>, token: string | undefined, source: JobSource): Promise<void> {
    const { bullmq } = this.#connection
    const { success, data } = jobSchema().safeParse(job.data)
    if (!success) throw new bullmq.UnrecoverableError('it is not a job of Assay')
    const abort = this.#options.host.clock.createAbortController()
    const id = job.id ?? ''
    this.#running.set(id, abort)
    try {
      const lease = { queue: job.queueName, job_id: id, token: token ?? '' }
      await this.#runAttempts(data, { job, lease, source, signal: abort.signal })
      this.#refusals = 0
    } catch (error) {
      if (error instanceof NotRun) {
        await job.moveToWait(token)
        throw new bullmq.WaitingError()
      }
      throw await this.#refuse((error as Error).message, source)
    } finally {
      this.#running.delete(id)
    }
  }

  async #runAttempts({ attempts, is_conversation }: Job, held: HeldJob): Promise<void> {
    const remaining = await this.#undelivered(attempts, held.job)
    if (is_conversation) return this.#runConversation(remaining, held)
    // Before the time of the batch begins: a large suite takes longer.
    for (const ref of remaining.slice(0, 1)) await this.#runner.load(ref)
    return runBatch(remaining, {
      host: this.#options.host,
      run: ref => this.#runner.run(ref, held.lease, held.signal),
      // What fails here is missing in Redis: the coordinator queues it again.
      giveBack: (rest, started) => this.#giveBack(rest, started, held).catch(() => {}),
    })
  }

  async #runConversation(attempts: Job['attempts'], held: HeldJob): Promise<void> {
    for (const [index, ref] of attempts.entries()) {
      // A worker that was suspended may read its answer before it hears that its lease is lost.
      if (index > 0 && !(await this.#hasLease(held))) throw new NotRun('stopped')
      const { delivered } = await this.#runner.run(ref, held.lease, held.signal)
      await delivered
    }
  }

  /** Divides a job: what was started stays in it. A job of another worker is left as it is. */
  async #giveBack(rest: readonly AttemptRef[], started: readonly AttemptRef[], held: HeldJob): Promise<void> {
    if (!(await this.#hasLease(held))) return
    // In this order: a coordinator that resumes the run queues what it finds in no job.
    await held.source.add(rest.map(ref => ({ attempts: [ref] })))
    await held.job.updateData({ attempts: [...started] })
  }

  async #hasLease({ job, lease }: HeldJob): Promise<boolean> {
    return (await job.extendLock(lease.token, this.#options.lease_ms)) === 1
  }

  /** The attempts of a job without those that an earlier worker has delivered before it was lost. */
  async #undelivered(attempts: Job['attempts'], { attemptsStarted }: BullJob<Job>): Promise<Job['attempts']> {
    if (attemptsStarted <= 1) return attempts
    const delivered = await this.#outbox.delivered(attempts.map(({ id }) => id))
    return attempts.filter(({ id }) => !delivered.has(id))
  }

  /** Pauses the queue, and reports the reason once, here and to the coordinator. */
  async #refuse(reason: string, source: JobSource): Promise<Error> {
    const { name, say, checkout } = this.#options
    await source.pause(Math.min(MIN_PAUSE_MS * 2 ** this.#refusals++, MAX_PAUSE_MS))
    const message = checkout.redacted({ type: 'refused', worker: name, reason } as const)
    if (!this.#reported.has(reason)) {
      this.#reported.add(reason)
      say(`Skipped; left for other workers: ${reason}`)
      await this.#outbox.send(message).catch(() => this.#reported.delete(reason))
    }
    return new Error(message.reason)
  }
}
