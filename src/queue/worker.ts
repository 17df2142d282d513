import { Semaphore } from '../lib/semaphore.ts'
import type { Host } from '../model/host.ts'
import { type Connection, throwRedisError, withTimeout } from './connection.ts'
import { Outbox } from './outbox.ts'
import { RunKeys } from './run-keys.ts'
import { RunWorker } from './run-worker.ts'
import type { WorkerOptions } from './worker-options.ts'

/** How often the worker asks Redis for runs, if it does not hear of them before. */
const POLL_MS = 1000

/** How often an ending worker asks whether its runs are over. */
const END_POLL_MS = 250

/** How long a run may be missing in Redis, which may have lost its data, before it counts as over. */
const GONE_MS = 10_000

/** How long returning jobs may take. */
const LEAVE_MS = 5000

/** How a worker ended; `left`: jobs remain that it could not run. */
export type WorkerEnd = 'done' | 'left'

/** Runs the queued attempts of all runs until it is told to end. */
export async function runWorker(connection: Connection, options: WorkerOptions): Promise<WorkerEnd> {
  const { host, finish, giveBack } = options
  const runs = new RunWatcher(connection, options)
  const ending = AbortSignal.any([finish, giveBack])
  const isEnding = whenAborted(ending)
  const changes = new RunChanges(connection, host)
  try {
    while (!ending.aborted) {
      // Redis may be away, and the user may not want to wait for it.
      const end = await Promise.race([runs.poll(), isEnding])
      if (end) return end
      await changes.next(POLL_MS, ending)
    }
    return 'done'
  } catch (error) {
    return throwRedisError(error, 'The worker stops. Other workers take over its attempts.')
  } finally {
    await shutDown(runs, connection, options)
  }
}

/** Hears of runs that begin or end. */
class RunChanges {
  readonly #host: Host
  #heard: AbortController

  constructor(connection: Connection, host: Host) {
    this.#host = host
    this.#heard = host.clock.createAbortController()
    // Without permission to subscribe, the worker asks from time to time.
    RunKeys.watch(connection, () => this.#heard.abort()).catch(() => {})
  }

  /** Waits for the next change since the last call, at most for this time. */
  async next(ms: number, ending: AbortSignal): Promise<void> {
    await this.#host.clock.sleep(ms, AbortSignal.any([this.#heard.signal, ending]))
    this.#heard = this.#host.clock.createAbortController()
  }
}

/** Finishes running attempts, or returns them. Runs may end meanwhile. */
async function shutDown(runs: RunWatcher, connection: Connection, { host, giveBack }: WorkerOptions): Promise<void> {
  let isFinished = false
  const finished = runs.finish().finally(() => {
    isFinished = true
  })
  const pollOn = async () => {
    while (!isFinished) {
      await runs.pollEnds().catch(() => {})
      await host.clock.sleep(END_POLL_MS)
    }
  }
  const hurry = whenAborted(giveBack).then(() => {
    runs.giveBack()
    // If Redis is away, nothing can be returned: the leases expire.
    return withTimeout(connection.isAway ? 0 : LEAVE_MS, finished, host)
  })
  await Promise.race([finished, hurry, pollOn()])
  isFinished = true
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise(resolve => {
    if (signal.aborted) resolve(undefined)
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}

interface WatchedRun {
  readonly worker: RunWorker
  goneSince: number | undefined
}

/** Watches which runs are in Redis, and works on them. */
class RunWatcher {
  readonly #connection: Connection
  readonly #options: WorkerOptions
  readonly #slots: Semaphore
  readonly #started: number
  readonly #runs = new Map<string, WatchedRun>()
  readonly #refused = new Set<string>()
  readonly #ending = new Set<Promise<void>>()
  #hasWorked = false

  constructor(connection: Connection, options: WorkerOptions) {
    this.#connection = connection
    this.#options = options
    this.#slots = new Semaphore(options.workers)
    this.#started = options.host.clock.elapsed()
  }

  /** Joins new runs and leaves finished ones. Returns how the worker ends, once it has nothing left to do. */
  async poll(): Promise<WorkerEnd | undefined> {
    const names = await RunKeys.all(this.#connection)
    for (const name of new Set([...names, ...this.#runs.keys()])) await this.#pollRun(name)
    return this.#end()
  }

  /** Leaves finished runs, and joins none. */
  async pollEnds(): Promise<void> {
    for (const name of [...this.#runs.keys()]) await this.#pollRun(name)
  }

  async #pollRun(name: string): Promise<void> {
    const keys = new RunKeys(name, this.#connection)
    const announcement = await keys.announcement()
    const known = this.#runs.get(name)
    if (!announcement) return this.#handleGone(name)
    if (!('queues' in announcement) || announcement.version !== this.#options.version)
      return this.#refuse(name, announcement.version)
    if (announcement.is_over) return this.#leave(name)
    if (known) {
      known.goneSince = undefined
      return known.worker.renewExpiry()
    }
    this.#hasWorked = true
    this.#options.say(`Working on ${name}.`)
    const worker = new RunWorker(keys, announcement, this.#connection, this.#options, this.#slots)
    this.#runs.set(name, { worker, goneSince: undefined })
    return undefined
  }

  async #refuse(name: string, version: string | undefined): Promise<void> {
    if (this.#refused.has(name)) return
    this.#refused.add(name)
    const reason = `this worker is Assay ${this.#options.version}, the run needs ${version ?? 'another version'}`
    this.#options.say(`Not working on ${name}: ${reason}.`)
    const outbox = new Outbox(new RunKeys(name, this.#connection), this.#connection)
    await outbox.send({ type: 'refused', worker: this.#options.name, reason })
  }

  /** Waits for a run that Redis may have lost: its coordinator announces it again. */
  async #handleGone(name: string): Promise<void> {
    const known = this.#runs.get(name)
    if (!known) return new RunKeys(name, this.#connection).forget()
    const now = this.#options.host.clock.elapsed()
    known.goneSince ??= now
    if (now - known.goneSince > GONE_MS) this.#leave(name)
    else await known.worker.renewExpiry()
  }

  /** Leaves a run without waiting: other runs go on meanwhile. */
  #leave(name: string): void {
    const known = this.#runs.get(name)
    if (!known) return
    this.#runs.delete(name)
    const left = known.worker.cancel().then(
      () => this.#options.say(`${name} is over.`),
      () => {},
    )
    this.#ending.add(left)
    left.then(() => {
      this.#ending.delete(left)
      this.#options.checkout.forget(name)
    })
  }

  /** How a worker with `once_ms` ends; undefined while it has work or waits for some. */
  async #end(): Promise<WorkerEnd | undefined> {
    const { once_ms, host } = this.#options
    if (once_ms === undefined) return undefined
    if (!this.#hasWorked) return host.clock.elapsed() - this.#started > once_ms ? 'done' : undefined
    const states = new Set<string>()
    // A run that is gone may come back: Redis may have lost its data.
    for (const { worker, goneSince } of this.#runs.values()) {
      states.add(goneSince === undefined ? await worker.state() : 'busy')
    }
    if (states.has('busy')) return undefined
    return states.has('left') ? 'left' : 'done'
  }

  giveBack(): void {
    for (const { worker } of this.#runs.values()) worker.giveBack()
  }

  /** Finishes running attempts. */
  async finish(): Promise<void> {
    await Promise.all([...this.#ending, ...Array.from(this.#runs.values(), ({ worker }) => worker.finish())])
  }
}
