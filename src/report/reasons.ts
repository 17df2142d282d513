import { singleLine } from '../lib/text/quote.ts'
import type { EvaluatorResult, Result, RubricItem } from '../model/result.ts'
import { missesRequired, PASS_MARK, reaches, shortScore, type Verdict } from '../model/verdict.ts'
import { itemText, withoutItems } from './score-breakdown.ts'

/** Why an attempt did not pass: its error, else what its failing checks missed. The first line of each says what is wrong. */
export function reasonsOf(result: Result): string[] {
  const { error, misses } = result
  if (error) return [`${error.code}: ${error.message}`]
  const reasons = failedChecks(result).flatMap(checkReasons)
  return reasons.length > 0 ? reasons : misses
}

/** The checks that did not reach their mark, and those that contain a required one which did not. */
export function failedChecks({ evaluator_results: all }: Pick<Result, 'evaluator_results'>): EvaluatorResult[] {
  return all.filter(check => (!check.passed && !check.not_run) || missesRequired(check))
}

/** What speaks against the answer by one check, in the words that every report uses. */
export function checkReasons(check: EvaluatorResult): string[] {
  const { error, negate, evaluator_results: inside = [] } = check
  if (error) return [`${error.code}: ${error.message}`]
  const failed = negate ? [] : failedChecks({ evaluator_results: inside })
  if (failed.length > 0) return failed.flatMap(child => checkReasons(child).map(reason => `${child.name}: ${reason}`))
  const reasons = [...itemReasons(check), ...ownMisses(check)]
  return reasons.length > 0 ? reasons : [scoreReason(check)]
}

/** What a check missed, besides its items. */
export function ownMisses(check: EvaluatorResult): string[] {
  return withoutItems(check.misses, check).map(miss => missText(miss, check.negate))
}

/** The score that a failed negated check gave, where nothing else says why it failed: the recorded one is inverted. */
export function invertedScore(check: EvaluatorResult): string[] {
  const { score, required, negate, passed, items = [], misses } = check
  if (!negate || passed || score === null || items.length > 0 || misses.length > 0) return []
  return [negatedScore(score, required ?? PASS_MARK)]
}

/** The first line of a reason; one that only introduces the next is joined with it. */
export function headline(reason: string): string {
  const [first = '', second = ''] = reason.split(/\r?\n/).flatMap(line => (line.trim() === '' ? [] : [line.trim()]))
  return first.endsWith(':') && second !== '' ? `${first} ${second}` : first
}

/** Why a test has its verdict, in one line. */
export function mainReason(verdict: Verdict, results: readonly Result[]): string | undefined {
  const [reason] = allReasons(verdict, results)
  return reason === undefined ? undefined : headline(reason)
}

/** The different reasons of a test: those of attempts that have its verdict come first. */
export function allReasons(verdict: Verdict, results: readonly Result[]): string[] {
  const alike = results.filter(result => result.verdict === verdict)
  return [...new Set([...alike, ...results].flatMap(reasonsOf))]
}

function itemReasons({ items = [], negate }: EvaluatorResult): string[] {
  if (negate) return items.filter(({ passed }) => passed).map(item => missText(itemText(item), negate))
  return items.filter(isLow).map(item => itemText(item, requiredMark(item)))
}

/** The finding of an item with a score names the score that it needs. */
function requiredMark({ required, passed, required_min_score }: RubricItem): string {
  return required && !passed && required_min_score === undefined ? ' (required)' : ''
}

/** An item that was missed, or whose score is below that of a pass. */
function isLow({ passed, score }: RubricItem): boolean {
  return !passed || (score !== undefined && !reaches(score / 10, PASS_MARK))
}

/** Evaluators that have no words for a negated check record what holds. */
function missText(miss: string, negate: true | undefined): string {
  return negate && !miss.startsWith('must not ') ? `must not hold, but does: ${miss}` : miss
}

/** `score 0.4, at least 0.8 required — too long`, of a check that names no misses. */
function scoreReason({ score, required, negate, reasoning = '' }: EvaluatorResult): string {
  const found = (negate ? negatedScore : scoreWords)(score ?? 0, required ?? PASS_MARK)
  return reasoning.trim() === '' ? found : `${found} — ${singleLine(reasoning.trim())}`
}

function scoreWords(score: number, mark: number): string {
  return `score ${shortScore(score, [mark])}, at least ${shortScore(mark)} required`
}

/** The score of a negated check before it was inverted. */
function negatedScore(score: number, mark: number): string {
  const given = `score ${shortScore(1 - score, [1 - mark])}, at most ${shortScore(1 - mark)} allowed`
  return missText(given, true)
}
