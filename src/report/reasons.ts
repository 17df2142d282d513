import { singleLine } from '../lib/text/quote.ts'
import type { EvaluatorResult, RubricItem } from '../model/evaluator-result.ts'
import type { Result } from '../model/result.ts'
import { counts, missesRequired, PASS_MARK, reaches, shortScore, type Verdict } from '../model/verdict.ts'
import { itemText, withoutItems } from './score-breakdown.ts'

/** Returns why an attempt did not pass: its error, or the misses of its failed checks. The first line of each is a summary. */
export function reasonsOf(result: Result): string[] {
  const { error, misses, score, threshold } = result
  if (error) return [`${error.code}: ${error.message}`]
  const reasons = failedChecks(result).flatMap(checkReasons)
  if (reasons.length > 0 || misses.length > 0) return reasons.length > 0 ? reasons : misses
  // Every check may reach its own mark, and the test still miss its threshold.
  const isBelow = score !== null && threshold !== undefined && !reaches(score, threshold)
  return isBelow ? [scoreWords(score, threshold)] : []
}

/** Returns the checks that failed or contain a failed required check. */
export function failedChecks({ evaluator_results: all }: Pick<Result, 'evaluator_results'>): EvaluatorResult[] {
  return all.filter(check => (counts(check) && !check.passed && !check.not_run) || missesRequired(check))
}

/** Returns the reasons why a check failed, as used in every report. */
export function checkReasons(check: EvaluatorResult): string[] {
  const { error, negate, evaluator_results: inside = [] } = check
  if (error) return [`${error.code}: ${error.message}`]
  const failed = negate ? [] : failedChecks({ evaluator_results: inside })
  if (failed.length > 0) return failed.flatMap(child => checkReasons(child).map(reason => `${child.name}: ${reason}`))
  const reasons = [...itemReasons(check), ...ownMisses(check)]
  return reasons.length > 0 ? reasons : [scoreReason(check)]
}

/** Returns the misses of a check, without its rubric items. */
export function ownMisses(check: EvaluatorResult): string[] {
  return withoutItems(check.misses, check).map(miss => missText(miss, check.negate))
}

/** Returns the original score of a failed negated check that has no other reason; the recorded one is inverted. */
export function invertedScore(check: EvaluatorResult): string[] {
  const { score, required, negate, passed, items = [], misses } = check
  if (!negate || passed || score === null || items.length > 0 || misses.length > 0) return []
  return [negatedScore(score, required ?? PASS_MARK)]
}

/** Returns the first line of a reason, joined with the next one if it ends with a colon. */
export function headline(reason: string): string {
  const [first = '', second = ''] = reason.split(/\r?\n/).flatMap(line => (line.trim() === '' ? [] : [line.trim()]))
  return first.endsWith(':') && second !== '' ? `${first} ${second}` : first
}

/** Returns the main reason for a verdict in one line. */
export function mainReason(verdict: Verdict, results: readonly Result[]): string | undefined {
  const [reason] = allReasons(verdict, results)
  return reason === undefined ? undefined : headline(reason)
}

/** Returns the distinct reasons of a test, those of attempts with its verdict first. */
export function allReasons(verdict: Verdict, results: readonly Result[]): string[] {
  const alike = results.filter(result => result.verdict === verdict)
  return [...new Set([...alike, ...results].flatMap(reasonsOf))]
}

function itemReasons({ items = [], negate }: EvaluatorResult): string[] {
  if (negate) return items.filter(({ passed }) => passed).map(item => missText(itemText(item), negate))
  return items.filter(isLow).map(item => itemText(item, requiredMark(item)))
}

/** Marks a missed required item, unless its finding already names the required score. */
function requiredMark({ required, passed, required_min_score }: RubricItem): string {
  return required && !passed && required_min_score === undefined ? ' (required)' : ''
}

/** Whether an item was missed or scored below the pass threshold. */
function isLow({ passed, score }: RubricItem): boolean {
  return !passed || (score !== undefined && !reaches(score / 10, PASS_MARK))
}

/** Some evaluators record the findings of a negated check without negating them. */
function missText(miss: string, negate: true | undefined): string {
  return negate && !/^(?:the .+? )?must not /s.test(miss) ? `must not hold, but does: ${miss}` : miss
}

/** `score 0.4, at least 0.8 required — too long`, for a check without misses. */
function scoreReason({ score, required, negate, reasoning = '' }: EvaluatorResult): string {
  const found = (negate ? negatedScore : scoreWords)(score ?? 0, required ?? PASS_MARK)
  return reasoning.trim() === '' ? found : `${found} — ${singleLine(reasoning.trim())}`
}

function scoreWords(score: number, mark: number): string {
  return `score ${shortScore(score, [mark])}, at least ${shortScore(mark)} required`
}

/** Describes the score of a negated check before inversion. */
function negatedScore(score: number, mark: number): string {
  const given = `score ${shortScore(1 - score, [1 - mark])}, at most ${shortScore(1 - mark)} allowed`
  return missText(given, true)
}
