import type { AnswerRecord } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import type { Result } from '../model/result.ts'
import { NotRun } from '../run/ask.ts'
import { type AskFactory, createAskFactory } from '../run/ask-target.ts'
import { Budget } from '../run/policies/budget.ts'
import type { RequestLimits } from '../run/policies/request-limits.ts'
import { runAttempt } from '../run/run-attempt.ts'
import type { RunEvent } from '../run/run-event.ts'
import { RunRecorder } from '../run/run-recorder.ts'
import { type Announcement, type AttemptRef, resultId, type WorkerMessage } from './protocol.ts'
import type { Outbox } from './worker-messages.ts'
import type { Checkout, WorkerOptions } from './worker-options.ts'

/** How long to wait before a result is delivered again. */
const RETRY_MS = 1000

/** Makes attempts of a run as one machine would, and sends their results to the coordinator. */
export class AttemptRunner {
  readonly #announcement: Announcement
  readonly #options: WorkerOptions
  readonly #mailbox: Outbox
  readonly #own: ReturnType<Checkout['context']>
  readonly #keeper: RunRecorder
  readonly #asks: AskFactory
  readonly #answers = new Map<string, AnswerRecord>()
  readonly #results = new Map<string, Result>()
  readonly #meters = new Map<string, Budget>()
  readonly #making = new Set<string>()
  #isUndelivered = false

  constructor(announcement: Announcement, options: WorkerOptions, mailbox: Outbox, requests: RequestLimits) {
    this.#announcement = announcement
    this.#options = options
    this.#mailbox = mailbox
    const { host, checkout } = options
    const { asked } = announcement
    this.#own = checkout.context(asked)
    const records = {
      answerTo: () => undefined,
      // Earlier ones are known to the coordinator, which numbers them anew.
      answersTo: () => 0,
      addAnswer: (record: AnswerRecord) => this.#answers.set(record.attempt_id, record),
      addResult: (result: Result) => {
        this.#results.set(result.attempt_id, result)
        return ''
      },
    }
    this.#keeper = new RunRecorder(records, { onEvent: event => this.#tell(event) }, host)
    this.#asks = createAskFactory({
      ...this.#own,
      host,
      answers: this.#keeper,
      timeout_seconds: asked.timeout_seconds,
      requests,
      budgetsOf: ({ id }) => [this.#meterOf(id)],
      notify: event => this.#keeper.notify(event),
    })
  }

  /** Throws `NotRun` where it is not to be made any more; anything else says why it cannot be made here. */
  async make(ref: AttemptRef, stop: AbortSignal): Promise<void> {
    const { checkout, host, name } = this.#options
    const { asked, run_id } = this.#announcement
    if (this.isStopped || stop.aborted) throw new NotRun('stopped')
    if (this.#making.has(ref.id)) throw new Error('it is still being made here, since before its lease was lost')
    const found = await checkout.find(ref, asked, run_id)
    if ('refusal' in found) throw new Error(found.refusal)
    const { attempt, plan } = found
    // Only shown: the attempt does not wait for it.
    this.#mailbox.send({ type: 'started', worker: name, attempt_id: attempt.id }).catch(() => {})
    const { hashes, judgeOf } = plan
    const abort = { signal: AbortSignal.any([this.#keeper.aborting.signal, stop]) }
    const context = { ...this.#own, host, run_id, hashes, judgeOf, abort }
    this.#making.add(attempt.id)
    try {
      this.#keeper.addResult(await runAttempt(attempt, this.#asks, context))
      await this.#deliver(attempt)
    } finally {
      for (const kept of [this.#making, this.#results, this.#answers, this.#meters]) kept.delete(attempt.id)
    }
  }

  get isStopped(): boolean {
    return this.#keeper.stopping.aborted
  }

  /** Ends what is being made. */
  stop(): void {
    this.#keeper.stop('signal')
  }

  /** What an attempt costs is counted; whether that is too much is for the coordinator to say. */
  #meterOf(id: string): Budget {
    const meter = this.#meters.get(id) ?? new Budget(Number.POSITIVE_INFINITY)
    this.#meters.set(id, meter)
    return meter
  }

  async #deliver({ id }: Attempt): Promise<void> {
    const result = this.#results.get(id)
    const answer = this.#answers.get(id)
    const { spent: spent_usd, unknown: uncounted } = this.#meterOf(id)
    if (!result) return
    const { name, checkout } = this.#options
    // What is written in the suite, the coordinator knows itself.
    const { description, criteria, note, tags, metadata, input, expected_output, ...found } = result
    const made = checkout.redacted({ result: found, ...(answer ? { answer } : {}) })
    const mail = { type: 'result', worker: name, attempt_id: id, ...made, spent_usd, uncounted }
    await this.#sendResult(mail as WorkerMessage, resultId(id))
    await this.#keeper.cleanedUp()
    this.#options.onResult(result)
  }

  /** An answer may have cost much: where Redis does not take it, it is kept, and delivered later. */
  async #sendResult(mail: WorkerMessage, id: string): Promise<void> {
    while (true) {
      try {
        await this.#mailbox.send(mail, id)
        this.#isUndelivered = false
        return
      } catch (error) {
        if ((error as Error).name !== 'ReplyError') throw error
        if (!this.#isUndelivered)
          this.#options.say(`Redis does not take a result, which is kept: ${(error as Error).message}`)
        this.#isUndelivered = true
        if (this.isStopped) throw new NotRun('stopped')
        await this.#options.host.clock.sleep(RETRY_MS)
      }
    }
  }

  #tell(event: RunEvent): void {
    const { type } = event
    if (type !== 'waiting' && type !== 'warning') return
    const { attempt, ...told } = event
    const mail = this.#options.checkout.redacted({ ...told, attempt_id: attempt.id })
    this.#mailbox.send(mail).catch(() => {})
  }
}
