import { dirname } from 'node:path'
import type { Semaphore } from '../lib/semaphore.ts'
import { isSystemError } from '../lib/system-error.ts'
import { type Answer, NoAnswer } from '../model/answer.ts'
import { type Check, type CheckFiles, nestedChecks, wordsOf } from '../model/check.ts'
import type { GradeContext, Subject } from '../model/evaluator.ts'
import { type Grade, Unjudged } from '../model/grade.ts'
import type { Host } from '../model/host.ts'
import type { JudgeRequest } from '../model/prompt.ts'
import type { EvaluatorResult, RubricItem } from '../model/result.ts'
import { PASS_MARK, reaches } from '../model/verdict.ts'
import { NotRun, type Stop } from './ask.ts'

export interface GradingContext {
  readonly host: Host
  /** What runs is ended by this, for the reason that it gives: a `NotRun`. */
  readonly abort: Stop
  /** For the programs that judge. */
  readonly turns: Semaphore
  /** A path as records show it. */
  recordedPath(file: string): string
}

/** Asks the target that judges a check. */
export type AskJudge = (check: Check, request: JudgeRequest) => Promise<Answer>

/** Every check of a test on its answer. One that cannot be judged leaves the others alone. */
export async function gradeAnswer(
  checks: readonly Check[],
  testFile: string,
  subject: Subject,
  askJudge: AskJudge,
  context: GradingContext,
): Promise<EvaluatorResult[]> {
  const grading = new Grading(testFile, subject, askJudge, context)
  const results = checks.map(check => grading.grade(check))
  // Checks that need no time, as most do, are not made to wait for each other.
  return results.some(result => result instanceof Promise) ? Promise.all(results) : (results as EvaluatorResult[])
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
}

/** The grading of one answer. */
class Grading {
  readonly #testFile: string
  readonly #subject: Subject
  readonly askJudge: AskJudge
  readonly context: GradingContext

  constructor(testFile: string, subject: Subject, askJudge: AskJudge, context: GradingContext) {
    this.#testFile = testFile
    this.#subject = subject
    this.askJudge = askJudge
    this.context = context
  }

  /** `around`: whether the checks around this one turn it around. */
  grade(check: Check, around = false): EvaluatorResult | Promise<EvaluatorResult> {
    const { host, abort } = this.context
    const start = host.clock.elapsed()
    const turned = check.negate !== around
    const finish = (graded: CheckOutcome) => this.resultOf(check, graded, host.clock.elapsed() - start, turned)
    const fail = (error: unknown) => {
      if (error instanceof NotRun) throw error
      // What was ended with the run is not graded: the answer is recorded, and can be graded later.
      abort.signal.throwIfAborted()
      return finish({ error: asError(error) })
    }
    try {
      const grade = check.evaluator.grade(check.config, this.#subject, new CheckContext(check, this, turned))
      return grade instanceof Promise ? grade.then(grade => finish({ grade }), fail) : finish({ grade })
    } catch (error) {
      return fail(error)
    }
  }

  resultOf(check: Check, { grade, error, not_run }: CheckOutcome, ms: number, turned: boolean): EvaluatorResult {
    const { name, type, weight, required, negate, at } = check
    const score = grade ? (negate ? 1 - grade.score : grade.score) : null
    const hits = negate ? grade?.misses : grade?.hits
    const misses = negate ? (grade?.negated_misses ?? grade?.hits) : grade?.misses
    const wish = check.evaluator.trigger?.(check.config)
    return {
      name,
      type,
      text: wordsOf(check).join('; '),
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
        should_trigger: wish.should_trigger !== turned,
        triggered: grade?.triggered,
      },
      items: grade?.items as RubricItem[] | undefined,
      not_run,
      file: at.file === this.#testFile ? undefined : this.context.recordedPath(at.file),
      line: at.line(),
      duration_ms: Math.round(ms),
      evaluator_results: (grade?.evaluator_results ?? error?.evaluator_results) as EvaluatorResult[] | undefined,
    }
  }
}

/** What a check has besides the answer. */
class CheckContext implements GradeContext {
  readonly #check: Check
  readonly #grading: Grading
  readonly #turned: boolean

  constructor(check: Check, grading: Grading, turned: boolean) {
    this.#check = check
    this.#grading = grading
    this.#turned = turned
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

  turn<T>(work: () => Promise<T>): Promise<T> {
    return this.#grading.context.turns.take(work)
  }

  async ask(request: JudgeRequest): Promise<Answer> {
    try {
      return await this.#grading.askJudge(this.#check, request)
    } catch (error) {
      throw error instanceof NoAnswer
        ? new Unjudged('judge-no-answer', `the judge gave no answer: ${error.message}`)
        : error
    }
  }

  grade(check: Check): EvaluatorResult | Promise<EvaluatorResult> {
    return this.#grading.grade(check, this.#turned)
  }

  leaveOut(check: Check, around = this.#turned): EvaluatorResult {
    const turned = check.negate !== around
    const inside = nestedChecks(check).map(child => this.leaveOut(child, turned))
    const result = this.#grading.resultOf(check, { not_run: true }, 0, turned)
    return inside.length > 0 ? { ...result, evaluator_results: inside } : result
  }
}

/** What could not be judged, in words. */
function asError(error: unknown): NonNullable<CheckOutcome['error']> {
  return error instanceof Unjudged ? error : problemFromThrown(error)
}

/** What was thrown that nobody has put into words: what the machine does not let us do fails an attempt, anything else is a bug. */
export function problemFromThrown(error: unknown): { readonly code: string; readonly message: string } {
  if (isSystemError(error)) return { code: 'system-error', message: `operating system error: ${error.message}` }
  return { code: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
