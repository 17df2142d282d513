import type { Answer, AnswerRecord } from '../model/answer.ts'
import type { Attempt } from '../model/attempt.ts'
import type { Result } from '../model/result.ts'
import { recordedResultSchema } from '../record/recorded-result.ts'
import { NotRun } from '../run/ask.ts'
import { errorResult } from '../run/run-attempt.ts'
import type { RunContext } from '../run/run-plan.ts'
import type { ResultMessage, WorkerMessage } from './protocol.ts'

const NO_ERROR = { code: '', stage: 'answer', message: '' } as const

/** What the mail of workers means to a run. */
export class MessageReader {
  readonly #outstanding: Map<string, Attempt>
  readonly #context: RunContext
  readonly #say: (text: string) => void
  readonly #refusals = new Set<string>()
  /** A budget has nothing left since somebody last asked. */
  hasSpent = false

  /** Attempts whose result has come are not outstanding any more. */
  constructor(outstanding: Map<string, Attempt>, context: RunContext, { say }: { say(text: string): void }) {
    this.#outstanding = outstanding
    this.#context = context
    this.#say = say
  }

  /** The results that are in it. */
  *read(mail: WorkerMessage | undefined): Generator<Result> {
    if (mail?.type === 'result') yield* this.#result(mail)
    else if (mail?.type === 'refused') this.#refused(mail)
    else if (mail) this.#happened(mail)
  }

  #happened(mail: Exclude<WorkerMessage, { type: 'result' | 'refused' }>): void {
    const attempt = this.#outstanding.get(mail.attempt_id)
    if (!attempt) return
    const { notify } = this.#context
    if (mail.type === 'started') notify({ type: 'started', attempt })
    else if (mail.type === 'waiting') {
      const { target, ms, reason } = mail
      notify({ type: 'waiting', attempt, target, ms, reason })
    } else notify({ type: 'warning', attempt, message: mail.message })
  }

  #refused({ worker, reason }: Extract<WorkerMessage, { type: 'refused' }>): void {
    const text = `${worker} leaves attempts to others: ${reason}`
    if (!this.#refusals.has(text)) this.#say(text)
    this.#refusals.add(text)
  }

  /** One that was delivered before, or that is none, is passed over. */
  *#result(mail: ResultMessage): Generator<Result> {
    const attempt = this.#outstanding.get(mail.attempt_id)
    const made = attempt && this.#recorded(mail, attempt)
    if (!attempt || !made) return
    const answer = mail.answer && this.#kept(attempt, mail.answer)
    if (mail.answer && !answer) return
    const result = answer ? { ...made, answer_number: answer.answer_number } : made
    this.#outstanding.delete(attempt.id)
    for (const budget of this.#context.budgetsOf(attempt)) {
      budget.spent += mail.spent_usd
      budget.unknown += mail.uncounted
      if (budget.isSpent) this.hasSpent = true
    }
    this.#context.notify({ type: 'finished', attempt, verdict: result.verdict })
    yield result
  }

  /** An answer as it was written down; undefined where it could not be. */
  #kept({ id, request_id, test, target, trial }: Attempt, { answer }: AnswerRecord): Answer | undefined {
    const asked = { attempt_id: id, request_id, test_id: test.id, target: target.name, trial }
    try {
      return this.#context.answers.add(asked, answer)
    } catch (error) {
      if (error instanceof NotRun) return undefined
      throw error
    }
  }

  /** The result as it is recorded here: with what is known of the test, which never travels. Undefined for what is none. */
  #recorded({ result, worker }: ResultMessage, attempt: Attempt): Result | undefined {
    const own = errorResult(attempt, NO_ERROR, this.#context)
    const made = { ...own, error: undefined, ...result, index: attempt.index, worker }
    const isOurs = made.attempt_id === attempt.id && made.run_id === this.#context.run_id
    if (!isOurs || !recordedResultSchema.safeParse(made).success) return undefined
    // A workspace is named where somebody may look into it, on the machine of its worker.
    return made.verdict === 'pass' ? { ...made, workspace_path: undefined } : made
  }
}
