import { dirname } from 'node:path'
import type { Semaphore } from '../lib/semaphore.ts'
import { isSystemError } from '../lib/system-error.ts'
import { quoteCode } from '../lib/text/quote.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import { appliesTo } from '../model/applicability.ts'
import { type Check, type CheckFiles, describeCheck, nestedChecks } from '../model/check.ts'
import type { Comparison } from '../model/comparison.ts'
import type { GradeContext, Subject } from '../model/evaluator.ts'
import type { EvaluatorResult, RubricItem } from '../model/evaluator-result.ts'
import { type Grade, Unjudged } from '../model/grade.ts'
import type { Host } from '../model/host.ts'
import type { OtherAnswer } from '../model/other-answer.ts'
import type { JudgeRequest } from '../model/prompt.ts'
import type { GradedTarget } from '../model/target.ts'
import type { Test } from '../model/test.ts'
import { PASS_MARK, reaches } from '../model/verdict.ts'
import { NotRun, type Stop } from './ask.ts'
import type { SharedGrades } from './shared-grades.ts'

export interface GradingContext {
  readonly host: Host
  /** Ends running judges; its reason is a `NotRun`. */
  readonly abort: Stop
  /** Whether the target that judges a check can look around in a folder. Default: it cannot. */
  judgeLooks?(check: Check): boolean
  /** The text of another answer to the same test. Default: no other answer. */
  readonly otherAnswer?: ((comparison: Comparison) => Promise<string>) | undefined
  /** Limits concurrent judge programs. */
  readonly semaphore: Semaphore
  /** Converts a path to the form used in records. */
  recordedPath(file: string): string
}

/** Asks the target that judges a check. `repeat`: number of the grading, from 1. */
export type AskJudge = (check: Check, request: JudgeRequest, repeat: number) => Promise<Answer>

/** The test whose checks grade an answer, and the target that gave it. */
export interface GradedAttempt {
  readonly test: Pick<Test, 'checks' | 'at'>
  readonly target: GradedTarget
}

interface GradingParts {
  readonly askJudge: AskJudge
  readonly context: GradingContext
  readonly shared: SharedGrades
  /** Number of the grading, from 1. */
  readonly repeat: number
}

interface CheckOutcome {
  readonly grade?: Grade
  readonly error?: {
    readonly code: string
    readonly message: string
    readonly evaluator_results?: readonly EvaluatorResult[] | undefined
    readonly details?: unknown
  }
  readonly not_run?: true
  readonly not_applicable?: true
}

const NOT_APPLICABLE: CheckOutcome = { not_applicable: true }

/** One grading of an answer: by every check of its test, and by those inside them. */
export class Grading {
  readonly #attempt: GradedAttempt
  readonly #subject: Subject
  readonly #parts: GradingParts
  readonly context: GradingContext

  constructor(attempt: GradedAttempt, subject: Subject, parts: GradingParts) {
    this.#attempt = attempt
    this.#subject = subject
    this.#parts = parts
    this.context = parts.context
  }

  askJudge(check: Check, request: JudgeRequest): Promise<Answer> {
    return this.#parts.askJudge(check, request, this.#parts.repeat)
  }

  /** `around`: whether the enclosing checks negate this one. */
  grade(check: Check, around = false): EvaluatorResult | Promise<EvaluatorResult> {
    if (!this.#applies(check)) return this.leaveOut(check, around)
    return this.#parts.shared.once(check, () => this.#grade(check, around))
  }

  #grade(check: Check, around: boolean): EvaluatorResult | Promise<EvaluatorResult> {
    const { host, abort } = this.context
    let start = host.clock.elapsed()
    const negated = check.negate !== around
    const finish = (graded: CheckOutcome) => this.resultOf(check, graded, host.clock.elapsed() - start, negated)
    const finishWith = (grade: Grade) => finish(grade.absent && around ? { error: absentInside(grade) } : { grade })
    const fail = (error: unknown) => {
      if (error instanceof NotRun) throw error
      // The run was stopped: the answer is recorded and can be graded later.
      abort.signal.throwIfAborted()
      return finish({ error: asError(error) })
    }
    const grade = () => {
      start = host.clock.elapsed()
      return check.evaluator.grade(check.config, this.#subject, new CheckContext(check, this, negated))
    }
    try {
      const { order } = this.#parts.shared
      const graded = order ? order.run(check, grade) : grade()
      return graded instanceof Promise ? graded.then(finishWith, fail) : finishWith(graded)
    } catch (error) {
      return fail(error)
    }
  }

  /** The result of a check, and of those inside it, that is skipped or does not apply to the target. */
  leaveOut(check: Check, around: boolean, outcome: CheckOutcome = { not_run: true }): EvaluatorResult {
    const negated = check.negate !== around
    const own = this.#applies(check) ? outcome : NOT_APPLICABLE
    const inside = nestedChecks(check).map(child => this.leaveOut(child, negated, own))
    const result = this.resultOf(check, own, 0, negated)
    return inside.length > 0 ? { ...result, evaluator_results: inside } : result
  }

  #applies(check: Check): boolean {
    return appliesTo(check, this.#attempt.target)
  }

  resultOf(check: Check, outcome: CheckOutcome, ms: number, negated: boolean): EvaluatorResult {
    const { grade, error, not_run, not_applicable } = outcome
    const { name, type, weight, required, at } = check
    const negate = check.negate && !grade?.absent
    const score = grade ? (negate ? 1 - grade.score : grade.score) : null
    const hits = negate ? grade?.misses : grade?.hits
    const misses = negate ? (grade?.negated_misses ?? grade?.hits) : grade?.misses
    const wish = check.evaluator.trigger?.(check.config)
    return {
      name,
      type,
      text: describeCheck(check).join('; '),
      score,
      weight,
      required: required ?? null,
      passed: score !== null && reaches(score, required ?? PASS_MARK),
      negate: negate || undefined,
      hits: [...(hits ?? [])],
      misses: [...(misses ?? [])],
      reasoning: grade?.reasoning,
      details: grade?.details ?? error?.details,
      error: error && { code: error.code, message: error.message },
      trigger: wish && {
        skill: wish.skill,
        should_trigger: wish.should_trigger !== negated,
        triggered: grade?.triggered,
      },
      items: grade?.items as RubricItem[] | undefined,
      votes: grade?.votes,
      pair: grade?.pair,
      not_applicable,
      not_run,
      file: at.file === this.#attempt.test.at.file ? undefined : this.context.recordedPath(at.file),
      line: at.line(),
      duration_ms: Math.round(ms),
      evaluator_results: (grade?.evaluator_results ?? error?.evaluator_results) as EvaluatorResult[] | undefined,
    }
  }
}

/** The context of a check: host, files, judges and nested checks. */
class CheckContext implements GradeContext {
  readonly #check: Check
  readonly #grading: Grading
  readonly #negated: boolean

  constructor(check: Check, grading: Grading, negated: boolean) {
    this.#check = check
    this.#grading = grading
    this.#negated = negated
  }

  get host(): Host {
    return this.#grading.context.host
  }

  get files(): CheckFiles {
    return this.#check.files
  }

  get home(): string {
    return dirname(this.#check.at.file)
  }

  get signal(): AbortSignal {
    return this.#grading.context.abort.signal
  }

  withSlot<T>(work: () => Promise<T>): Promise<T> {
    return this.#grading.context.semaphore.run(work)
  }

  get judge_looks(): boolean {
    return this.#grading.context.judgeLooks?.(this.#check) ?? false
  }

  async ask(request: JudgeRequest): Promise<Answer> {
    try {
      return await this.#grading.askJudge(this.#check, request)
    } catch (error) {
      throw error instanceof NoAnswer
        ? new Unjudged('judge-no-answer', `${missingReply(request)}: ${error.message}`)
        : error
    }
  }

  async otherAnswer(other: OtherAnswer): Promise<string> {
    const { otherAnswer } = this.#grading.context
    if (!otherAnswer) throw new Unjudged('no-other-answer', 'there is no other answer to compare with')
    return otherAnswer({ check: this.#check, other })
  }

  grade(check: Check): EvaluatorResult | Promise<EvaluatorResult> {
    return this.#grading.grade(check, this.#negated)
  }

  skip(check: Check): EvaluatorResult {
    return this.#grading.leaveOut(check, this.#negated)
  }
}

function missingReply({ judge, embeds }: JudgeRequest): string {
  if (embeds) return 'the texts could not be embedded'
  return `${judge === undefined ? 'the judge' : `the judge ${quoteCode(judge)}`} gave no answer`
}

/** A missing file must not let a negated check around this one pass. */
function absentInside({ misses }: Grade): NonNullable<CheckOutcome['error']> {
  return { code: 'file-missing', message: `${misses.join('; ')}, so the negated check around this one says nothing` }
}

function asError(error: unknown): NonNullable<CheckOutcome['error']> {
  return error instanceof Unjudged ? error : problemFromThrown(error)
}

/** Describes an unexpected exception: an operating system error, or a bug. */
export function problemFromThrown(error: unknown): { readonly code: string; readonly message: string } {
  if (isSystemError(error)) return { code: 'system-error', message: `operating system error: ${error.message}` }
  return { code: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
