import type { Redactor } from '../../lib/redaction/redactor.ts'
import type { Host } from '../../model/host.ts'
import type { Result } from '../../model/result.ts'
import type { RunFolder } from '../../record/run-folder.ts'
import { attemptSpans, countSpans } from '../../report/otel/attempt-spans.ts'
import { exportRequest, type OtlpSpan, type Resource } from '../../report/otel/otlp.ts'
import { RunSpan } from '../../report/otel/run-span.ts'
import type { RunObserver } from '../run/run-observer.ts'
import type { OpenRecords } from '../run/run-records.ts'
import type { OtelSettings } from './otel-settings.ts'
import { type Delivery, sendSpans } from './send-spans.ts'

/** What became of the spans of a run. */
export interface ExportedSpans {
  readonly url: string
  readonly run_id: string
  readonly sent: number
  readonly lost: number
  /** How many the collector received and did not keep. */
  readonly rejected: number
  /** Why spans were lost, or what the collector says of those it received. */
  readonly problem: string | undefined
  readonly message: string | undefined
}

/** An attempt that is not sent yet. Only its id is kept: the records may be large. */
interface Waiting {
  readonly id: string
  readonly spans: number
}

/** Limits of one request: spans, and characters of the records that they are made of. */
const MOST_SPANS = 512
const MOST_CHARACTERS = 4_000_000

/** Attempts that finish within this time are sent together. */
const PAUSE_MS = 1000

/** How long a request may take, and how long a first retry waits. */
const TIMEOUT_MS = 10_000
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000

/** How long sending may go on after the run: without an accepted request, after one, in total, and after a signal. */
const FLUSH_MS = 5000
const PROGRESS_MS = 10_000
const LONGEST_FLUSH_MS = 30_000
const GRACE_MS = 3000

const LATE = 'the run has ended before all were sent'

/** Sends the attempts of a run as spans while it is running. It never stops or delays the run. */
export class SpanExport implements RunObserver {
  readonly #settings: OtelSettings
  readonly #resource: Resource
  readonly #host: Host
  /** Aborts when the run has ended: nothing waits for more attempts. */
  readonly #ended: AbortController
  /** Aborts when the time for sending is over. */
  readonly #over: AbortController
  readonly #waiting: Waiting[] = []
  readonly #run = new RunSpan()
  #folder: RunFolder | undefined
  #working: Promise<void> | undefined
  /** When the time for sending is over, and when at the latest; known after the run. */
  #deadline = Number.POSITIVE_INFINITY
  #latest = Number.POSITIVE_INFINITY
  #stopTimer = () => {}
  /** Whether the collector has answered at all. */
  #isAnswered = false
  #sent = 0
  #lost = 0
  #rejected = 0
  #problem: string | undefined
  #message: string | undefined

  constructor(settings: OtelSettings, redactor: Redactor, host: Host) {
    this.#settings = settings
    this.#resource = Object.fromEntries(
      Object.entries(settings.resource).map(([name, value]) => [name, redactor.text(value)]),
    )
    this.#host = host
    this.#ended = host.clock.createAbortController()
    this.#over = host.clock.createAbortController()
  }

  onStart({ folder }: OpenRecords): void {
    this.#folder = folder
  }

  onResult(result: Result): void {
    this.#run.add(result)
    this.#waiting.push({ id: result.attempt_id, spans: countSpans(result) })
    this.#working ??= this.#sendAll()
  }

  /** Sends the rest, and the span of the run if it is complete; not for longer than a few seconds. */
  async finish(signal: AbortSignal): Promise<ExportedSpans | undefined> {
    const folder = this.#folder
    if (!folder) return undefined
    const stopTimers = this.#limitTime(signal)
    this.#ended.abort()
    await this.#working
    const whole = this.#run.spans(folder)
    await this.#deliver(whole)
    stopTimers()
    const { url } = this.#settings
    return {
      ...{ url, run_id: folder.info.run_id, sent: this.#sent, lost: this.#lost, rejected: this.#rejected },
      ...{ problem: this.#problem, message: this.#message },
    }
  }

  /** Limits the time after the run. Returns a function that ends that. */
  #limitTime(signal: AbortSignal): () => void {
    this.#latest = this.#host.clock.elapsed() + LONGEST_FLUSH_MS
    this.#endWithin(FLUSH_MS)
    const hurry = () => {
      this.#latest = this.#host.clock.elapsed() + GRACE_MS
      this.#endWithin(GRACE_MS)
    }
    if (signal.aborted) hurry()
    else signal.addEventListener('abort', hurry, { once: true })
    return () => {
      signal.removeEventListener('abort', hurry)
      this.#stopTimer()
    }
  }

  /** Sets the end of sending, which is never later than the latest one. */
  #endWithin(ms: number): void {
    const { clock } = this.#host
    const now = clock.elapsed()
    this.#stopTimer()
    this.#deadline = Math.min(now + ms, this.#latest)
    this.#stopTimer = clock.setTimer(Math.max(0, this.#deadline - now), () => this.#over.abort())
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#host.clock.sleep(PAUSE_MS, this.#ended.signal)
      if (this.#over.signal.aborted) for (const { spans } of this.#waiting.splice(0)) this.#lose(spans, LATE)
      else await this.#deliver(this.#takeSpans())
    }
    this.#working = undefined
  }

  /** The spans of as many attempts as fit into one request. */
  #takeSpans(): readonly OtlpSpan[] {
    const spans: OtlpSpan[] = []
    let [taken, characters] = [0, 0]
    for (const attempt of this.#waiting) {
      if (spans.length >= MOST_SPANS || characters >= MOST_CHARACTERS) break
      taken++
      const made = this.#spansOf(attempt)
      characters += JSON.stringify(made).length
      spans.push(...made)
    }
    this.#waiting.splice(0, taken)
    return spans
  }

  #spansOf({ id, spans }: Waiting): readonly OtlpSpan[] {
    const folder = this.#folder
    try {
      const result = folder?.result(id)
      return folder && result ? attemptSpans(result, { run: folder.info, content: this.#settings.content }) : []
    } catch (error) {
      // A record that cannot be read, or a bug, must not end the run.
      this.#lose(spans, (error as Error).message)
      return []
    }
  }

  /** Sends a request until the collector has accepted or refused it, or the time is over. */
  async #deliver(spans: readonly OtlpSpan[]): Promise<void> {
    if (spans.length === 0) return
    const body = exportRequest(spans, this.#resource, this.#folder?.info.assay_version)
    for (let again = 0; ; again++) {
      const delivery = await this.#send(body)
      if (delivery.kind === 'accepted') return this.#accept(delivery, spans.length)
      if (delivery.kind === 'refused') return this.#lose(spans.length, delivery.problem)
      this.#isAnswered ||= delivery.isAnswered
      const backoff = Math.min(FIRST_WAIT_MS * 2 ** again, LONGEST_WAIT_MS) * (0.5 + this.#host.random() / 2)
      if (!(await this.#waitFor(Math.max(backoff, delivery.after_ms))))
        return this.#lose(spans.length, delivery.problem)
    }
  }

  async #send(body: string): Promise<Delivery> {
    const { clock } = this.#host
    const own = clock.createAbortController()
    const stop = clock.setTimer(TIMEOUT_MS, () =>
      own.abort(new Error(`it did not answer within ${TIMEOUT_MS / 1000} s`)),
    )
    const end = () => own.abort(new Error('it did not answer in time'))
    this.#over.signal.addEventListener('abort', end, { once: true })
    if (this.#over.signal.aborted) end()
    try {
      return await sendSpans(body, this.#settings, own.signal, this.#host)
    } finally {
      stop()
      this.#over.signal.removeEventListener('abort', end)
    }
  }

  /** Waits before a retry. Returns false if the run ends and the wait is not worth it. */
  async #waitFor(ms: number): Promise<boolean> {
    const { clock } = this.#host
    const until = clock.elapsed() + ms
    await clock.sleep(ms, this.#ended.signal)
    const left = until - clock.elapsed()
    if (left <= 0) return !this.#over.signal.aborted
    // A collector that never answered is not there.
    if (!this.#isAnswered || until > this.#deadline) return false
    await clock.sleep(left, this.#over.signal)
    return !this.#over.signal.aborted
  }

  #accept({ rejected, message }: Delivery & { readonly kind: 'accepted' }, spans: number): void {
    this.#isAnswered = true
    const known = Math.min(rejected, spans)
    this.#sent += spans - known
    this.#rejected += known
    this.#message ??= message
    if (this.#ended.signal.aborted) this.#endWithin(PROGRESS_MS)
  }

  /** Counts spans that are given up; the first reason is reported. */
  #lose(spans: number, problem: string): void {
    this.#lost += spans
    this.#problem ??= problem
  }
}
