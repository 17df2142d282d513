import { weightedAverage } from '../lib/statistics/means.ts'
import { printableLine } from '../lib/text/escape.ts'
import { formatNumber } from '../lib/text/format.ts'
import { singleLine } from '../lib/text/quote.ts'
import type { EvaluatorResult, RubricItem } from '../model/evaluator-result.ts'
import type { Result } from '../model/result.ts'
import { BORDERLINE_MARK, counts, marksOf, missedRequired, PASS_MARK, shortScore } from '../model/verdict.ts'
import { panelVotes } from './votes-text.ts'

/** Explains score and verdict of an attempt: `score = (1 × 1 + 0 × 2) / 3 = 0.333`. */
export function scoreSum({ evaluator_results: checks, score, verdict, threshold }: Result): string[] {
  const parts = checks.filter(counts).map(({ score, weight }) => ({ score: score ?? 0, weight }))
  const missed = missedRequired(checks).map(({ name }) => printableLine(name))
  const why =
    missed.length > 0
      ? `a required check was missed: ${missed.join(', ')}`
      : threshold === undefined
        ? `pass from ${PASS_MARK}, borderline from ${BORDERLINE_MARK}`
        : `pass from ${formatNumber(threshold)}`
  return [
    `score = ${weightedSum(parts)} = ${shortScore(score ?? 0, marksOf(threshold))}`,
    `verdict: ${verdict} (${why})`,
  ]
}

interface Part {
  readonly score: number
  readonly weight: number
}

/** `(1 × 1 + 0 × 2) / 3`. */
function weightedSum(parts: readonly Part[]): string {
  const products = parts.map(({ score, weight }) => `${formatNumber(score)} × ${formatNumber(weight)}`).join(' + ')
  const weights = parts.reduce((total, { weight }) => total + weight, 0)
  return `(${products}) / ${formatNumber(weights)}`
}

/** Lists the findings on each rubric item with the votes of a panel, and how the score of the check follows from them. */
export function itemLines({ items = [], score }: EvaluatorResult): string[] {
  return [...items.flatMap(item => [itemLine(item), ...voteLines(item.votes)]), ...itemSum(items, score)]
}

/** Lists the votes of a panel. Indented, so that no reasoning can imitate our lines. */
export function voteLines(votes: EvaluatorResult['votes']): string[] {
  return panelVotes(votes).map(text => `    ${printableLine(text)}`)
}

/** Removes the lines that only repeat rubric items. */
export function withoutItems(lines: readonly string[], { items = [] }: EvaluatorResult): string[] {
  const repeats = (line: string) => (item: RubricItem) =>
    line.startsWith(item.text) && ITEM_MARKS.test(line.slice(item.text.length))
  return lines.filter(line => !items.some(repeats(line)))
}

/** Suffix of a repeated item: its score, and whether it is required. */
const ITEM_MARKS = /^( \([\d.]+ of 10\))?( \(required(: at least [\d.]+)?\))?$/

/** `- not satisfied: Is brief — It rambles. (brief, weight 2, required: missed)`. */
function itemLine(item: RubricItem): string {
  const { id, passed } = item
  const facts = [id, ...weightFacts(item)].join(', ')
  return `${passed ? '+' : '-'} ${printableLine(itemText(item))} (${printableLine(facts)})`
}

/** `not satisfied: Is brief — It rambles.` */
export function itemText(item: RubricItem, mark = ''): string {
  const { text, reasoning } = item
  const why = reasoning.trim() === '' ? '' : ` — ${singleLine(reasoning.trim())}`
  return `${itemFinding(item)}${mark}: ${text}${why}`
}

/** `not satisfied, weight 2, required: missed`. */
export function itemFacts(item: RubricItem): string {
  return [itemFinding(item), ...weightFacts(item)].join(', ')
}

function weightFacts({ weight, required, passed }: RubricItem): string[] {
  return [
    ...(weight === 1 ? [] : [`weight ${formatNumber(weight)}`]),
    ...(required ? [passed ? 'required' : 'required: missed'] : []),
  ]
}

/** `satisfied`, `7 of 10`, or `4 of 10 (at least 5 required)`. */
export function itemFinding({ satisfied, score, required_min_score: minimum, votes }: RubricItem): string {
  const needed = minimum === undefined ? '' : ` (at least ${formatNumber(minimum)} required)`
  if (satisfied === undefined) return `${formatNumber(score ?? 0)} of 10${needed}${scoresText(votes)}`
  const agree = votes ? ` (${votes.filter(vote => vote.satisfied === satisfied).length} of ${votes.length} votes)` : ''
  return `${satisfied ? 'satisfied' : 'not satisfied'}${agree}`
}

/** ` (votes: 6, 8, 7)`: the scores of several votes. */
export function scoresText(votes: EvaluatorResult['votes']): string {
  return votes ? ` (votes: ${votes.map(({ score }) => formatNumber(score ?? 0)).join(', ')})` : ''
}

/** Explains the score of a check if it follows from its items, directly or negated. */
export function itemSum(items: readonly RubricItem[], score: number | null): string[] {
  if (score === null || items.every(({ weight }) => weight === 0)) return []
  const parts = items.map(({ satisfied, score, weight }) => ({
    score: satisfied === undefined ? (score ?? 0) / 10 : Number(satisfied),
    weight,
  }))
  const average = weightedAverage(parts)
  const isScore = (value: number) => Math.abs(value - score) < 1e-6
  if (isScore(average)) return [`score = ${weightedSum(parts)} = ${formatNumber(score)}`]
  return isScore(1 - average) ? [`score = 1 - ${weightedSum(parts)} = ${formatNumber(score)}`] : []
}
