import { Semaphore } from '../lib/semaphore.ts'
import { type Connection, throwRedisError, withTimeout } from './connection.ts'
import { RunKeys } from './run-keys.ts'
import { RunWorker } from './run-worker.ts'
import { Outbox } from './worker-messages.ts'
import type { WorkerOptions } from './worker-options.ts'

/** How often Redis is asked which runs there are. */
const POLL_MS = 250

/** How long a run may be gone from Redis, which may have lost its data, before it counts as over. */
const GONE_MS = 10_000

/** How long giving back may take. */
const LEAVE_MS = 5000

/** How a worker ended: whether something is left that it could not do. */
export type WorkerEnd = 'done' | 'left'

/** Makes what is in the queues, of run after run. */
export async function runWorker(connection: Connection, options: WorkerOptions): Promise<WorkerEnd> {
  const { host, finish, giveBack } = options
  const watch = new RunWatcher(connection, options)
  const ending = AbortSignal.any([finish, giveBack])
  const isEnding = whenAborted(ending)
  try {
    while (!ending.aborted) {
      // Redis may be away, and the user may not want to wait for it.
      const end = await Promise.race([watch.look(), isEnding])
      if (end) return end
      await host.clock.sleep(POLL_MS, ending)
    }
    return 'done'
  } catch (error) {
    return throwRedisError(error, 'The worker ends; others take what it has begun.')
  } finally {
    await shutDown(watch, connection, options)
  }
}

/** Finishes what has begun, or gives it back; meanwhile its run may be called off. */
async function shutDown(watch: RunWatcher, connection: Connection, { host, giveBack }: WorkerOptions): Promise<void> {
  let isLeft = false
  const left = watch.leave().finally(() => {
    isLeft = true
  })
  const watchOn = async () => {
    while (!isLeft) {
      await watch.lookForEnds().catch(() => {})
      await host.clock.sleep(POLL_MS)
    }
  }
  const inHurry = whenAborted(giveBack).then(() => {
    watch.giveBack()
    // A Redis that is away gets nothing back: what is lost to it comes back by itself.
    return withTimeout(connection.isAway ? 0 : LEAVE_MS, left, host)
  })
  await Promise.race([left, inHurry, watchOn()])
  isLeft = true
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

interface WatchedRun {
  readonly work: RunWorker
  goneSince: number | undefined
}

/** The runs that are there, and the work on them. */
class RunWatcher {
  readonly #connection: Connection
  readonly #options: WorkerOptions
  readonly #turns: Semaphore
  readonly #started: number
  readonly #runs = new Map<string, WatchedRun>()
  readonly #refused = new Set<string>()
  readonly #leaving = new Set<Promise<void>>()
  #hasWorked = false

  constructor(connection: Connection, options: WorkerOptions) {
    this.#connection = connection
    this.#options = options
    this.#turns = new Semaphore(options.workers)
    this.#started = options.host.clock.elapsed()
  }

  /** Begins with runs that are new, and leaves those that are over. Says where it has nothing more to do. */
  async look(): Promise<WorkerEnd | undefined> {
    const names = await RunKeys.all(this.#connection)
    for (const name of new Set([...names, ...this.#runs.keys()])) await this.#lookAt(name)
    return this.#end()
  }

  /** Leaves runs that are over, and begins with none. */
  async lookForEnds(): Promise<void> {
    for (const name of [...this.#runs.keys()]) await this.#lookAt(name)
  }

  async #lookAt(name: string): Promise<void> {
    const keys = new RunKeys(name, this.#connection)
    const announcement = await keys.announcement()
    const known = this.#runs.get(name)
    if (!announcement) return this.#gone(name)
    if (!('queues' in announcement) || announcement.version !== this.#options.version)
      return this.#refuse(name, announcement.version)
    if (announcement.is_over) return this.#leave(name)
    if (known) {
      known.goneSince = undefined
      return known.work.look()
    }
    this.#hasWorked = true
    this.#options.say(`Working on ${name}.`)
    const work = new RunWorker(keys, announcement, this.#connection, this.#options, this.#turns)
    this.#runs.set(name, { work, goneSince: undefined })
    return undefined
  }

  async #refuse(name: string, version: string | undefined): Promise<void> {
    if (this.#refused.has(name)) return
    this.#refused.add(name)
    const reason = `it is Assay ${this.#options.version}, not ${version ?? 'another program'}`
    this.#options.say(`Not working on ${name}: ${reason}.`)
    const mailbox = new Outbox(new RunKeys(name, this.#connection), this.#options.host)
    await mailbox.send({ type: 'refused', worker: this.#options.name, reason })
    await mailbox.queue.close()
  }

  /** Redis may have lost it: then its coordinator announces it anew. */
  async #gone(name: string): Promise<void> {
    const known = this.#runs.get(name)
    if (!known) return new RunKeys(name, this.#connection).forget()
    const now = this.#options.host.clock.elapsed()
    known.goneSince ??= now
    if (now - known.goneSince > GONE_MS) this.#leave(name)
    else await known.work.look()
  }

  /** Other runs are not kept waiting by the end of one. */
  #leave(name: string): void {
    const known = this.#runs.get(name)
    if (!known) return
    this.#runs.delete(name)
    const left = known.work.callOff().then(
      () => this.#options.say(`${name} is over.`),
      () => {},
    )
    this.#leaving.add(left)
    left.then(() => {
      this.#leaving.delete(left)
      this.#options.checkout.forget(name)
    })
  }

  /** Whether a worker that works once has done so. */
  async #end(): Promise<WorkerEnd | undefined> {
    const { once_ms, host } = this.#options
    if (once_ms === undefined) return undefined
    if (!this.#hasWorked) return host.clock.elapsed() - this.#started > once_ms ? 'done' : undefined
    const states = new Set<string>()
    // One that is gone may come back: Redis may have lost its data.
    for (const { work, goneSince } of this.#runs.values()) {
      states.add(goneSince === undefined ? await work.state() : 'busy')
    }
    if (states.has('busy')) return undefined
    return states.has('left') ? 'left' : 'done'
  }

  giveBack(): void {
    for (const { work } of this.#runs.values()) work.giveBack()
  }

  /** Finishes what has begun. */
  async leave(): Promise<void> {
    await Promise.all([...this.#leaving, ...Array.from(this.#runs.values(), ({ work }) => work.leave())])
  }
}
