import type { Answer, AnswerRecord } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import { markRecord } from '../model/mark.ts'
import type { Result } from '../model/result.ts'
import { recordedResultSchema } from '../record/recorded-result.ts'
import { NotRun } from '../run/ask.ts'
import { errorResult } from '../run/run-attempt.ts'
import type { RunContext } from '../run/run-plan.ts'
import type { ResultMessage, WorkerMessage } from './protocol.ts'

const NO_ERROR = { code: '', stage: 'answer', message: '' } as const

/** Turns messages of workers into results, events and printed lines. */
export class MessageReader {
  readonly #outstanding: Map<string, Attempt>
  readonly #context: RunContext
  readonly #say: (text: string) => void
  readonly #refusals = new Set<string>()
  /** Whether a result has used up a budget. The coordinator resets it. */
  hasSpent = false

  /** Removes attempts from `outstanding` when their result arrives. */
  constructor(outstanding: Map<string, Attempt>, context: RunContext, { say }: { say(text: string): void }) {
    this.#outstanding = outstanding
    this.#context = context
    this.#say = say
  }

  /** Yields the result in a message, if it has one. */
  *read(message: WorkerMessage | undefined): Generator<Result> {
    if (message?.type === 'result') yield* this.#readResult(message)
    else if (message?.type === 'refused') this.#reportRefusal(message)
    else if (message) this.#notify(message)
  }

  #notify(message: Exclude<WorkerMessage, { type: 'result' | 'refused' }>): void {
    const attempt = this.#outstanding.get(message.attempt_id)
    if (!attempt) return
    const { notify } = this.#context
    if (message.type === 'started') notify({ type: 'started', attempt })
    else if (message.type === 'waiting') {
      const { target, ms, reason } = message
      notify({ type: 'waiting', attempt, target, ms, reason })
    } else notify({ type: 'warning', attempt, message: message.message })
  }

  #reportRefusal({ worker, reason }: Extract<WorkerMessage, { type: 'refused' }>): void {
    const text = `${worker} skips attempts and leaves them for other workers: ${reason}`
    if (!this.#refusals.has(text)) this.#say(text)
    this.#refusals.add(text)
  }

  /** Yields a result once. Invalid ones and repeated deliveries are ignored. */
  *#readResult(message: ResultMessage): Generator<Result> {
    const attempt = this.#outstanding.get(message.attempt_id)
    const sent = attempt && this.#toResult(message, attempt)
    if (!attempt || !sent) return
    const answer = message.answer && this.#recordAnswer(attempt, message.answer)
    if (message.answer && !answer) return
    const result = answer ? { ...sent, answer_number: answer.answer_number } : sent
    this.#outstanding.delete(attempt.id)
    for (const budget of this.#context.budgetsOf(attempt)) {
      budget.spent += message.spent_usd
      budget.unknown += message.uncounted
      if (budget.isSpent) this.hasSpent = true
    }
    this.#context.notify({ type: 'finished', attempt, result })
    yield result
  }

  /** Records an answer. Returns undefined if that is not possible any more. */
  #recordAnswer({ id, request_id, test, target, trial }: Attempt, { answer }: AnswerRecord): Answer | undefined {
    const attempt = { attempt_id: id, request_id, test_id: test.id, target: target.name, trial }
    try {
      return this.#context.answers.add(attempt, answer)
    } catch (error) {
      if (error instanceof NotRun) return undefined
      throw error
    }
  }

  /** Adds the facts of the test, which are never sent, to a result. Returns undefined if it is invalid. */
  #toResult({ result, worker }: ResultMessage, attempt: Attempt): Result | undefined {
    const facts = errorResult(attempt, NO_ERROR, this.#context)
    const sent = { ...facts, error: undefined, ...result, ...markRecord(attempt.mark), index: attempt.index, worker }
    const isOurs = sent.attempt_id === attempt.id && sent.run_id === this.#context.run_id
    if (!isOurs || !recordedResultSchema().safeParse(sent).success) return undefined
    // The workspace of a pass is removed. Any other stays on the machine of the worker.
    return sent.verdict === 'pass' ? { ...sent, workspace_path: undefined } : sent
  }
}
