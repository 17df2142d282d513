import type { Connection } from './connection.ts'
import type { WorkerMessage } from './protocol.ts'
import { LATE_EXPIRY_MS, type RunKeys } from './run-keys.ts'
import { Script } from './script.ts'

/** Limits of a batch: Redis does nothing else while it stores one. A larger message is a batch of its own. */
const BATCH_MESSAGES = 500
const BATCH_CHARACTERS = 1_000_000

/**
 * Adds messages to the mail, which expires with the run. A result is left out if it was delivered before, or if another
 * worker holds the lease by now: that worker runs the attempt again, perhaps with a conversation behind it.
 */
const DELIVER = new Script(`
local ms = redis.call('PTTL', KEYS[3])
if ms <= 0 then ms = tonumber(ARGV[1]) end
for at = 2, #ARGV, 4 do
  local id, lease, token, message = ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]
  local holder = id ~= '' and redis.call('GET', lease)
  if not holder or holder == token then
    if id == '' or redis.call('SADD', KEYS[2], id) == 1 then redis.call('XADD', KEYS[1], '*', 'message', message) end
  end
end
redis.call('PEXPIRE', KEYS[1], ms)
redis.call('PEXPIRE', KEYS[2], ms)
`)

/** What proves that a worker may run the attempts of a job. */
export interface Lease {
  readonly queue: string
  readonly job_id: string
  readonly token: string
}

interface Delivery {
  readonly values: readonly [id: string, lease: string, token: string, message: string]
  done(): void
  fail(error: Error): void
}

/** The worker's end of the mail: sends messages to the coordinator of a run. */
export class Outbox {
  readonly #connection: Connection
  readonly #keys: RunKeys
  #waiting: Delivery[] = []
  #isSending = false

  constructor(keys: RunKeys, connection: Connection) {
    this.#keys = keys
    this.#connection = connection
  }

  /** Sends a message, and waits while Redis is away. */
  send(message: WorkerMessage): Promise<void> {
    return this.#add('', '', '', message)
  }

  /** Sends the result of an attempt, unless another worker has delivered it or holds the lease. */
  sendResult(message: WorkerMessage, attemptId: string, { queue, job_id, token }: Lease): Promise<void> {
    return this.#add(attemptId, this.#keys.key(`${queue}:${job_id}:lock`), token, message)
  }

  /** The attempts among `ids` whose result was delivered. */
  async delivered(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#connection.redis.smismember(this.#keys.delivered, ...ids)
    return new Set(ids.filter((_, index) => found[index] === 1))
  }

  #add(id: string, lease: string, token: string, message: WorkerMessage): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ values: [id, lease, token, JSON.stringify(message)], done, fail })
      if (!this.#isSending) this.#sendAll()
    })
  }

  /** Sends one batch after the other. What is added meanwhile is the next batch, so that a busy worker sends few. */
  async #sendAll(): Promise<void> {
    this.#isSending = true
    while (this.#waiting.length > 0) {
      const batch = this.#nextBatch()
      try {
        const { mail, delivered, about } = this.#keys
        const values = batch.flatMap(({ values }) => values)
        await DELIVER.run(this.#connection.redis, [mail, delivered, about], [LATE_EXPIRY_MS, ...values])
        for (const { done } of batch) done()
      } catch (error) {
        for (const { fail } of batch) fail(error as Error)
      }
    }
    this.#isSending = false
  }

  #nextBatch(): Delivery[] {
    let size = 0
    let count = 0
    for (const { values } of this.#waiting) {
      size += values[3].length
      if (count > 0 && (count >= BATCH_MESSAGES || size > BATCH_CHARACTERS)) break
      count++
    }
    return this.#waiting.splice(0, count)
  }
}
