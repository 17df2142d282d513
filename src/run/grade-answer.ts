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
export function gradeAnswer(
  { checks, at }: { readonly checks: readonly Check[]; readonly at: Origin },
  answer: Answer,
  context: GradingContext,
): Promise<EvaluatorResult[]> {
  return Promise.all(checks.map(check => gradeCheck(check, at.file, answer, context)))
}

async function gradeCheck(
  check: Check,
  testFile: string,
  answer: Answer,
  { host, recordedPath }: GradingContext,
): Promise<EvaluatorResult> {
  const start = host.elapsed()
  const { grade, error } = await gradeOrError(check, answer, host)
  const { name, type, weight, required, negate, at } = check
  const score = grade ? (negate ? 1 - grade.score : grade.score) : null
  const [hits, misses] = negate ? [grade?.misses, grade?.hits] : [grade?.hits, grade?.misses]
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
    duration_ms: Math.round(host.elapsed() - start),
  }
}

interface Graded {
  readonly grade?: Grade
  readonly error?: { code: string; message: string }
}

async function gradeOrError(check: Check, answer: Answer, host: Host): Promise<Graded> {
  try {
    const grade = await check.evaluator.grade?.(check.config, { answer }, { host, files: check.files })
    if (!grade) throw new Error(`nobody can grade ${check.type}`)
    return { grade }
  } catch (error) {
    return { error: asError(error) }
  }
}

/** What could not be judged, in words; anything else that is thrown is a bug. */
function asError(error: unknown): { code: string; message: string } {
  if (error instanceof Unjudged) return { code: error.code, message: error.message }
  return { code: 'bug', message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
}
