import type { Check } from '../evaluators/evaluator.ts'
import type { Answer } from '../model/answer.ts'
import { type Grade, Unjudged } from '../model/grade.ts'
import type { Host } from '../model/host.ts'
import { PASS_MARK, reaches } from '../model/marks.ts'
import type { Origin } from '../model/place.ts'
import type { EvaluatorResult } from '../model/result.ts'

export interface GradingContext {
  readonly host: Host
  /** A path as records show it. */
  recordedPath(file: string): string
}

/** Every check of a test on its answer. One that cannot be judged leaves the others alone. */
export async function gradeAnswer(
  { checks, at }: { readonly checks: readonly Check[]; readonly at: Origin },
  answer: Answer,
  context: GradingContext,
): Promise<EvaluatorResult[]> {
  const results = checks.map(check => gradeCheck(check, at.file, answer, context))
  // Checks that need no time, as most do, are not made to wait for each other.
  return results.some(result => result instanceof Promise) ? Promise.all(results) : (results as EvaluatorResult[])
}

function gradeCheck(
  check: Check,
  testFile: string,
  answer: Answer,
  context: GradingContext,
): EvaluatorResult | Promise<EvaluatorResult> {
  const { host } = context
  const start = host.elapsed()
  const finish = (graded: Graded) => resultOf(check, graded, testFile, host.elapsed() - start, context)
  const fail = (error: unknown) => finish({ error: asError(error) })
  try {
    const grade = check.evaluator.grade?.(check.config, { answer }, { host, files: check.files })
    if (!grade) throw new Error(`nobody can grade ${check.type}`)
    return grade instanceof Promise ? grade.then(grade => finish({ grade }), fail) : finish({ grade })
  } catch (error) {
    return fail(error)
  }
}

interface Graded {
  readonly grade?: Grade
  readonly error?: { code: string; message: string }
}

function resultOf(
  check: Check,
  { grade, error }: Graded,
  testFile: string,
  ms: number,
  { recordedPath }: GradingContext,
): EvaluatorResult {
  const { name, type, weight, required, negate, at } = check
  const score = grade ? (negate ? 1 - grade.score : grade.score) : null
  const hits = negate ? grade?.misses : grade?.hits
  const misses = negate ? grade?.hits : grade?.misses
  return {
    name,
    type,
    text: check.evaluator.sentence(check).join('; '),
    score,
    weight,
    required: required ?? null,
    passed: score !== null && reaches(score, required ?? PASS_MARK),
    hits: [...(hits ?? [])],
    misses: [...(misses ?? [])],
    reasoning: grade?.reasoning,
    details: grade?.details,
    error,
    file: at.file === testFile ? undefined : recordedPath(at.file),
    line: at.line(),
    duration_ms: Math.round(ms),
  }
}

/** What could not be judged, in words; anything else that is thrown is a bug. */
function asError(error: unknown): { code: string; message: string } {
  if (error instanceof Unjudged) return { code: error.code, message: error.message }
  return { code: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
