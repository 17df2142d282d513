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

/** Makes the records of a plan as `runPlan` does, by workers anywhere. */
export async function* queuedRecords(
  plan: Plan,
  context: RunContext,
  options: CoordinatorOptions,
): AsyncGenerator<Result> {
  // Nobody else has what was answered before and never judged, or is in records of this machine. A workspace may be elsewhere.
  const isHere = ({ id, target }: Attempt) => {
    const answer = context.answers.get(id)
    return target.provider.isLocal === true || (answer !== undefined && answer.workspace_path === undefined)
  }
  const here = plan.attempts.filter(isHere)
  if (here.length > 0) yield* runPlan({ ...plan, attempts: here }, context)
  const attempts = plan.attempts.filter(attempt => !isHere(attempt))
  if (attempts.length === 0 || context.stop.aborted) return
  try {
    yield* new Coordinator(attempts, context, options).records()
  } catch (error) {
    throwRedisError(error, 'What is recorded stays: `assay eval --resume --queue` goes on.')
  }
}

const POLL_MS = 50
/** How long workers have to leave a run that is over. */
const LEAVE_MS = 5000

interface CoordinatorOptions extends Omit<QueuedRunOptions, 'run_id'> {
  readonly connection: Connection
  /** Whether what was made before is made again: what waits since then is not what is wanted. */
  readonly is_rerun: boolean
  /** Says something about the work that is not about a test. */
  say(text: string): void
}

/** Gives out what a plan has, and takes in what workers make of it. */
class Coordinator {
  readonly #context: RunContext
  readonly #options: CoordinatorOptions
  readonly #host: Host
  readonly #run: QueuedRun
  readonly #lookout: QueueObserver
  readonly #outstanding: Map<string, Attempt>
  readonly #reader: MessageReader
  #isTakenBack = false

  constructor(attempts: readonly Attempt[], context: RunContext, options: CoordinatorOptions) {
    this.#context = context
    this.#options = options
    this.#host = context.host
    this.#outstanding = new Map(attempts.map(attempt => [attempt.id, attempt]))
    this.#run = new QueuedRun(attempts, { ...options, run_id: context.run_id }, options.connection)
    this.#reader = new MessageReader(this.#outstanding, context, options)
    this.#lookout = new QueueObserver(this.#run, options, context.host)
    options.connection.onReturn(() => {
      this.#lookout.hasLost = true
    })
  }

  async *records(): AsyncGenerator<Result> {
    try {
      // What waits in Redis since a coordinator died is taken over before anything is given out.
      while ((yield* this.#takeMail(this.#options.is_rerun)) > 0);
      await this.#orAborted(this.#run.takeBack())
      await this.#orAborted(this.#offer())
      while (this.#outstanding.size > 0 && !this.#isAborted) {
        const taken = yield* this.#takeMail()
        if (this.#lookout.isTime) {
          yield* this.#takeLost()
          await this.#orAborted(this.#lookout.look(this.#isOutstanding))
        }
        if (await this.#orAborted(this.#isStopped())) break
        if (taken > 0) continue
        // Nothing is on its way: what Redis does not have any more, nobody has.
        if (this.#lookout.hasLost) await this.#orAborted(this.#offer())
        await this.#host.clock.sleep(POLL_MS, this.#context.abort.signal)
      }
    } finally {
      await this.#callOff()
    }
    yield* this.#takeLast()
    if (!this.#cannotRecord) await this.#ifThere(this.#run.remove)
  }

  get #isAborted(): boolean {
    return this.#context.abort.signal.aborted
  }

  #isOutstanding = ({ id }: Attempt): boolean => this.#outstanding.has(id)

  async #offer(): Promise<void> {
    this.#lookout.hasLost = false
    await this.#run.offer(this.#isOutstanding)
  }

  /** Takes some of the mail, and says how many there were. */
  async *#takeMail(isUnread = false): AsyncGenerator<Result, number> {
    const received = (await this.#orAborted(this.#run.receive())) ?? []
    const removals: Promise<void>[] = []
    for (const { mail, done } of received) {
      if (!isUnread) yield* this.#reader.read(mail)
      // A request for the next one means that this one is recorded; unless something has ended it all.
      if (this.#isAborted) break
      removals.push(done())
    }
    // All on their way at once: Redis may be far away.
    await this.#orAborted(Promise.all(removals))
    return this.#isAborted ? 0 : received.length
  }

  /** What was finished before the end came. */
  async *#takeLast(): AsyncGenerator<Result> {
    while (!this.#cannotRecord) {
      const received = (await this.#ifThere(this.#run.receive)) ?? []
      if (received.length === 0) return
      for (const { mail, done } of received) {
        yield* this.#reader.read(mail)
        if (this.#cannotRecord || (await this.#ifThere(() => done().then(() => true))) === undefined) return
      }
    }
  }

  /** Then the results that wait are for whoever goes on. */
  get #cannotRecord(): boolean {
    return this.#context.answers.problem !== undefined
  }

  /** An attempt after which every worker was gone is an error; what comes after it in its conversation goes on. */
  async *#takeLost(): AsyncGenerator<Result> {
    for (const { attempts, reason } of (await this.#orAborted(this.#run.takeLost())) ?? []) {
      const [first, ...others] = attempts.filter(this.#isOutstanding)
      // Its result may wait: the worker was lost after it.
      if (!first || (await this.#orAborted(this.#run.hasResult(first)))) continue
      this.#outstanding.delete(first.id)
      const message = `the workers that took it were lost, one after another: ${reason}`
      const result = errorResult(first, { code: 'worker-lost', stage: 'answer', message }, this.#context)
      this.#context.notify({ type: 'finished', attempt: first, verdict: result.verdict })
      yield result
      if (others.length > 0) await this.#orAborted(this.#run.offerAgain(others))
    }
  }

  /** What nobody has begun is taken back where nothing new may start, or where the money is gone. */
  async #isStopped(): Promise<boolean> {
    const isOver = (attempt: Attempt) => this.#context.budgetsOf(attempt).some(({ isSpent }) => isSpent)
    if (this.#reader.hasSpent) {
      this.#reader.hasSpent = false
      for (const attempt of await this.#run.withdraw(this.#isOutstanding, isOver)) this.#giveUp(attempt)
    }
    if (!this.#context.stop.aborted) return false
    // What has begun is finished.
    if (!this.#isTakenBack) await this.#run.takeBack()
    this.#isTakenBack = true
    return (await this.#run.active()) === 0 && (await this.#run.receive()).length === 0
  }

  #giveUp(attempt: Attempt): void {
    this.#outstanding.delete(attempt.id)
    this.#context.notify({ type: 'given-up', attempt, reason: 'budget' })
  }

  /** Workers leave, and end what they are at. */
  async #callOff(): Promise<void> {
    await this.#ifThere(this.#run.callOff)
    const started = this.#host.clock.elapsed()
    while (this.#host.clock.elapsed() - started < LEAVE_MS && ((await this.#ifThere(this.#run.workers)) ?? 0) > 0)
      await this.#host.clock.sleep(POLL_MS)
  }

  /** At the end nobody waits for a Redis that is away: what it has of the run expires. */
  async #ifThere<T>(ask: (this: QueuedRun) => Promise<T>): Promise<T | undefined> {
    if (this.#options.connection.isAway) return undefined
    return withTimeout(LEAVE_MS, ask.call(this.#run), this.#host)
  }

  /** What Redis says; undefined where the user does not want to wait for it any more. */
  #orAborted<T>(answer: Promise<T>): Promise<T | undefined> {
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
