import type { Attempt } from '../model/attempt.ts'
import type { Host } from '../model/host.ts'
import type { Plan } from '../model/plan.ts'
import type { Result } from '../model/result.ts'
import { errorResult } from '../run/run-attempt.ts'
import { type RunContext, runPlan } from '../run/run-plan.ts'
import { type Connection, throwRedisError, withTimeout } from './connection.ts'
import { MessageReader } from './message-reader.ts'
import { QueueObserver } from './queue-observer.ts'
import { QueuedRun, type QueuedRunOptions } from './queued-run.ts'

/** How long to wait for a message before other things are checked, such as whether the run is stopped. */
const WAIT_MS = 100

/** The first and the longest pause between looks at whether workers have left, and how much longer each one is. */
const MIN_POLL_MS = 2
const MAX_POLL_MS = 50
const POLL_GROWTH = 1.25

/** How long workers have to leave a run that is over, and how long Redis has to answer then. */
const LEAVE_MS = 5000

interface CoordinatorOptions extends Omit<QueuedRunOptions, 'run_id' | 'isBatchable'> {
  readonly connection: Connection
  /** Whether finished attempts are run again: then results that wait in Redis since an earlier run are discarded. */
  readonly is_rerun: boolean
  /** Prints a message that is not about a test. */
  say(text: string): void
}

interface TakeOptions {
  readonly discard?: boolean
  /** How long to wait for the next message. */
  readonly wait_ms?: number
}

/** Yields the records of a plan as `runPlan` does, with attempts run by workers. */
export async function* queuedRecords(
  plan: Plan,
  context: RunContext,
  options: CoordinatorOptions,
): AsyncGenerator<readonly Result[]> {
  // Attempts that need files of this machine run here: recorded answers, and targets that read local records.
  // An answer with a workspace may be from another machine.
  const isLocal = ({ id, target }: Attempt) => {
    const answer = context.answers.get(id)
    return target.provider.execution?.isLocal === true || (answer !== undefined && answer.workspace_path === undefined)
  }
  const local = plan.attempts.filter(isLocal)
  if (local.length > 0) yield* runPlan({ ...plan, attempts: local }, context)
  const attempts = plan.attempts.filter(attempt => !isLocal(attempt))
  if (attempts.length === 0 || context.stop.aborted) return
  try {
    yield* new Coordinator(attempts, context, options).records()
  } catch (error) {
    throwRedisError(error, 'Recorded results are kept. Resume with: `assay eval --resume --queue`')
  }
}

/** Queues the attempts of a run, and yields the results that workers send back. */
class Coordinator {
  readonly #context: RunContext
  readonly #options: CoordinatorOptions
  readonly #host: Host
  readonly #run: QueuedRun
  readonly #observer: QueueObserver
  readonly #outstanding: Map<string, Attempt>
  readonly #reader: MessageReader

  constructor(attempts: readonly Attempt[], context: RunContext, options: CoordinatorOptions) {
    this.#context = context
    this.#options = options
    this.#host = context.host
    this.#outstanding = new Map(attempts.map(attempt => [attempt.id, attempt]))
    // With a budget, each attempt is withdrawn as soon as the budget is spent.
    const isBatchable = (attempt: Attempt) => context.budgetsOf(attempt).length === 0
    this.#run = new QueuedRun(attempts, { ...options, run_id: context.run_id, isBatchable }, options.connection)
    this.#reader = new MessageReader(this.#outstanding, context, options)
    this.#observer = new QueueObserver(this.#run, options, context.host)
    options.connection.onReturn(() => {
      this.#observer.hasLostJobs = true
    })
  }

  async *records(): AsyncGenerator<readonly Result[]> {
    try {
      // Results that wait since an earlier coordinator died are recorded before anything is queued.
      const { is_rerun } = this.#options
      while ((yield* this.#takeMessages({ discard: is_rerun })) > 0);
      if (is_rerun) await this.#unlessAborted(this.#run.inbox.forgetDelivered())
      await this.#unlessAborted(this.#run.takeBack())
      await this.#unlessAborted(this.#offer())
      while (this.#outstanding.size > 0 && !this.#isAborted) {
        const taken = yield* this.#takeMessages({ wait_ms: WAIT_MS })
        if (this.#observer.isDue) {
          yield* this.#takeLost()
          await this.#unlessAborted(this.#observer.check())
        }
        if (await this.#unlessAborted(this.#isStopped())) break
        if (taken > 0) continue
        // No message is waiting, so whatever Redis has lost must be queued again.
        if (this.#observer.hasLostJobs) await this.#unlessAborted(this.#offer())
      }
    } finally {
      await this.#end()
    }
    yield* this.#takeRemaining()
    if (!this.#cannotRecord) await this.#ifConnected(run => run.remove())
  }

  get #isAborted(): boolean {
    return this.#context.abort.signal.aborted
  }

  #isOutstanding = ({ id }: Attempt): boolean => this.#outstanding.has(id)

  async #offer(): Promise<void> {
    this.#observer.hasLostJobs = false
    await this.#run.offer(this.#isOutstanding)
  }

  /** Reads a batch of messages, or discards it. Returns its size. */
  async *#takeMessages({ discard = false, wait_ms }: TakeOptions): AsyncGenerator<readonly Result[], number> {
    const { inbox } = this.#run
    const received = (await this.#unlessAborted(inbox.receive(wait_ms))) ?? []
    const handled: string[] = []
    for (const { id, message } of received) {
      if (!discard) yield [...this.#reader.read(message)]
      // The consumer requests the next results after it has recorded these, unless the run was aborted.
      if (this.#isAborted) break
      handled.push(id)
    }
    await this.#unlessAborted(inbox.remove(handled))
    return this.#isAborted ? 0 : received.length
  }

  /** Yields the results that were finished before the run ended. */
  async *#takeRemaining(): AsyncGenerator<readonly Result[]> {
    while (!this.#cannotRecord) {
      const received = (await this.#ifConnected(run => run.inbox.receive())) ?? []
      if (received.length === 0) return
      const handled: string[] = []
      for (const { id, message } of received) {
        yield [...this.#reader.read(message)]
        if (this.#cannotRecord) return
        handled.push(id)
      }
      if ((await this.#ifConnected(run => run.inbox.remove(handled).then(() => true))) === undefined) return
    }
  }

  /** Whether recording has failed. Results then stay in Redis for a resumed run. */
  get #cannotRecord(): boolean {
    return this.#context.answers.problem !== undefined
  }

  /** Yields an error for an attempt that has lost all its workers. The rest of its job is queued again. */
  async *#takeLost(): AsyncGenerator<readonly Result[]> {
    const { jobs, inbox } = this.#run
    for (const { attempts, reason } of (await this.#unlessAborted(jobs.takeLost())) ?? []) {
      // A worker may have sent results before it was lost.
      const delivered = await this.#unlessAborted(inbox.delivered())
      const [first, ...others] = attempts.filter(each => this.#isOutstanding(each) && !delivered?.has(each.id))
      if (!first) continue
      this.#outstanding.delete(first.id)
      const message = `every worker that took the attempt was lost: ${reason}`
      const result = errorResult(first, { code: 'worker-lost', stage: 'answer', message }, this.#context)
      this.#context.notify({ type: 'finished', attempt: first, result })
      yield [result]
      if (others.length > 0) await this.#unlessAborted(jobs.addAgain(others))
    }
  }

  /** Withdraws waiting jobs if the run is stopped or a budget is spent. Returns whether the run has come to its end. */
  async #isStopped(): Promise<boolean> {
    const isOverBudget = (attempt: Attempt) => this.#context.budgetsOf(attempt).some(({ isSpent }) => isSpent)
    if (this.#reader.hasSpent) {
      this.#reader.hasSpent = false
      for (const attempt of await this.#run.jobs.withdraw(this.#isOutstanding, isOverBudget)) this.#giveUp(attempt)
    }
    if (!this.#context.stop.aborted) return false
    // Running attempts are finished. Workers may still return others of their batches.
    await this.#run.takeBack()
    return (await this.#run.jobs.countActive()) === 0 && (await this.#run.inbox.isEmpty())
  }

  #giveUp(attempt: Attempt): void {
    this.#outstanding.delete(attempt.id)
    this.#context.notify({ type: 'given-up', attempt, reason: 'budget' })
  }

  /** Announces the end of the run, and waits for workers to return their jobs and leave. */
  async #end(): Promise<void> {
    await this.#ifConnected(run => run.announceEnd())
    const started = this.#host.clock.elapsed()
    let pause = MIN_POLL_MS
    while (
      this.#host.clock.elapsed() - started < LEAVE_MS &&
      ((await this.#ifConnected(run => run.jobs.hasWorkers())) ?? false)
    ) {
      await this.#host.clock.sleep(pause)
      pause = Math.min(POLL_GROWTH * pause, MAX_POLL_MS)
    }
  }

  /** Asks Redis with a timeout. Returns undefined if it does not answer: the keys of the run expire anyway. */
  async #ifConnected<T>(ask: (run: QueuedRun) => Promise<T>): Promise<T | undefined> {
    if (this.#options.connection.isAway) return undefined
    return withTimeout(LEAVE_MS, ask(this.#run), this.#host)
  }

  /** Waits for an answer of Redis. Returns undefined as soon as the run is aborted. */
  #unlessAborted<T>(answer: Promise<T>): Promise<T | undefined> {
    const { signal } = this.#context.abort
    if (signal.aborted) {
      answer.catch(() => {})
      return Promise.resolve(undefined)
    }
    return new Promise((resolve, reject) => {
      const give = () => resolve(undefined)
      signal.addEventListener('abort', give, { once: true })
      answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', give))
    })
  }
}
