import type { AnswerRecord } from '../model/answer.ts'
import type { Attempt, RunEvent } from '../model/attempt.ts'
import type { Result } from '../model/result.ts'
import { NotRun } from '../run/ask.ts'
import { type AskFactory, createAskFactory } from '../run/ask-target.ts'
import { Budget } from '../run/policies/budget.ts'
import type { RequestLimits } from '../run/policies/request-limits.ts'
import { runAttempt } from '../run/run-attempt.ts'
import { RunRecorder } from '../run/run-recorder.ts'
import { RunStop } from '../run/run-stop.ts'
import { WorkspaceCleanup } from '../run/workspace-cleanup.ts'
import type { Lease, Outbox } from './outbox.ts'
import type { Announcement, AttemptRef, WorkerMessage } from './protocol.ts'
import type { Ran } from './run-batch.ts'
import type { Checkout, FoundAttempt, WorkerOptions } from './worker-options.ts'

/** How long an attempt runs before its start is reported: most of the mail would be about attempts that are over. */
const STARTED_MS = 50

/** How long to wait before a rejected result is sent again. */
const RETRY_MS = 1000

/** Runs attempts as a run on one machine does, and sends their results to the coordinator. */
export class AttemptRunner {
  readonly #announcement: Announcement
  readonly #options: WorkerOptions
  readonly #outbox: Outbox
  readonly #context: ReturnType<Checkout['context']>
  readonly #recorder: RunRecorder
  readonly #stop: RunStop
  readonly #workspaces: WorkspaceCleanup
  readonly #asks: AskFactory
  readonly #answers = new Map<string, AnswerRecord>()
  readonly #results = new Map<string, Result>()
  readonly #meters = new Map<string, Budget>()
  readonly #running = new Set<string>()
  #isUndelivered = false

  constructor(announcement: Announcement, options: WorkerOptions, outbox: Outbox, requests: RequestLimits) {
    this.#announcement = announcement
    this.#options = options
    this.#outbox = outbox
    const { host, checkout } = options
    const { asked: settings } = announcement
    this.#context = checkout.context(settings)
    const records = {
      answerTo: () => undefined,
      // The coordinator knows earlier answers and numbers them.
      answersTo: () => 0,
      addAnswer: (record: AnswerRecord) => this.#answers.set(record.attempt_id, record),
      addResults: (results: readonly Result[]) => {
        for (const result of results) this.#results.set(result.attempt_id, result)
        return results.map(() => '')
      },
    }
    this.#stop = new RunStop({}, host)
    this.#workspaces = new WorkspaceCleanup({}, host)
    this.#recorder = new RunRecorder(records, { stop: this.#stop, workspaces: this.#workspaces }, host)
    this.#asks = createAskFactory({
      ...this.#context,
      host,
      answers: this.#recorder,
      timeout_seconds: settings.timeout_seconds,
      requests,
      budgetsOf: ({ id }) => [this.#meterOf(id)],
      notify: event => {
        this.#stop.onEvent(event)
        this.#reportEvent(event)
      },
    })
  }

  /** Finds an attempt in the checkout of this worker. Throws the reason why it cannot be run here. */
  async load(ref: AttemptRef): Promise<FoundAttempt> {
    const { asked: settings, run_id } = this.#announcement
    const found = await this.#options.checkout.find(ref, settings, run_id)
    if ('refusal' in found) throw new Error(found.refusal)
    return found
  }

  /**
   * Runs an attempt, and begins to deliver its result. Throws `NotRun` if it was stopped; any other error is the reason
   * why this worker cannot run it.
   */
  async run(ref: AttemptRef, lease: Lease, stop: AbortSignal): Promise<Ran> {
    const { host, name } = this.#options
    const { asked: settings, run_id } = this.#announcement
    if (this.isStopped || stop.aborted) throw new NotRun('stopped')
    if (this.#running.has(ref.id)) throw new Error('it is still running here since before its lease was lost')
    const { attempt, plan } = await this.load(ref)
    const started = { type: 'started', worker: name, attempt_id: attempt.id } as const
    const callOff = host.clock.setTimer(STARTED_MS, () => this.#report(started))
    const { hashes, judgeOf } = plan
    const abort = { signal: AbortSignal.any([this.#stop.aborting.signal, stop]) }
    const { judge_repeats } = settings
    const context = { ...this.#context, host, run_id, hashes, judgeOf, judge_repeats, abort }
    this.#running.add(attempt.id)
    try {
      this.#recorder.addResults([await runAttempt(attempt, this.#asks, context)])
    } catch (error) {
      this.#forget(attempt)
      throw error
    } finally {
      callOff()
    }
    return { delivered: this.#deliver(attempt, lease).finally(() => this.#forget(attempt)) }
  }

  #forget({ id }: Attempt): void {
    for (const kept of [this.#running, this.#results, this.#answers, this.#meters]) kept.delete(id)
  }

  get isStopped(): boolean {
    return this.#stop.stopping.aborted
  }

  /** Stops all running attempts. */
  stop(): void {
    this.#stop.stop('signal')
  }

  /** Counts the cost of an attempt without a limit: the coordinator enforces budgets. */
  #meterOf(id: string): Budget {
    const meter = this.#meters.get(id) ?? new Budget(Number.POSITIVE_INFINITY)
    this.#meters.set(id, meter)
    return meter
  }

  async #deliver({ id }: Attempt, lease: Lease): Promise<void> {
    const result = this.#results.get(id)
    const answer = this.#answers.get(id)
    const { spent: spent_usd, unknown: uncounted } = this.#meterOf(id)
    if (!result) return
    const { name, checkout } = this.#options
    // Fields from the suite are not sent: the coordinator has them.
    const { description, criteria, note, tags, metadata, input, expected_output, ...found } = result
    const sent = checkout.redacted({ result: found, ...(answer ? { answer } : {}) })
    const message = { type: 'result', worker: name, attempt_id: id, ...sent, spent_usd, uncounted }
    await this.#sendResult(message as WorkerMessage, id, lease)
    await this.#workspaces.finished()
    this.#options.onResult(result)
  }

  /** Sends a result. If Redis rejects it, keeps it and tries again: the answer may have been expensive. */
  async #sendResult(message: WorkerMessage, id: string, lease: Lease): Promise<void> {
    while (true) {
      try {
        await this.#outbox.sendResult(message, id, lease)
        this.#isUndelivered = false
        return
      } catch (error) {
        if ((error as Error).name !== 'ReplyError') throw error
        if (!this.#isUndelivered)
          this.#options.say(`Redis rejected a result, which is kept and sent again: ${(error as Error).message}`)
        this.#isUndelivered = true
        if (this.isStopped) throw new NotRun('stopped')
        await this.#options.host.clock.sleep(RETRY_MS)
      }
    }
  }

  #reportEvent(event: RunEvent): void {
    const { type } = event
    if (type !== 'waiting' && type !== 'warning') return
    const { attempt, ...facts } = event
    this.#report(this.#options.checkout.redacted({ ...facts, attempt_id: attempt.id }))
  }

  /** Sends progress, for which the attempt does not wait. */
  #report(message: WorkerMessage): void {
    this.#outbox.send(message).catch(() => {})
  }
}
