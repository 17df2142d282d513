import { onOneLine } from '../lib/printable.ts'
import { shortNumber } from '../lib/short-number.ts'
import { singleLine } from '../lib/single-line.ts'
import { weightedAverage } from '../lib/weighted-average.ts'
import type { EvaluatorResult, RubricItem } from '../model/result.ts'
import { weightedSum } from './weighted-sum.ts'

/** What a judge found of each item of a check, and how the score of the check comes of it. */
export function itemLines({ items = [], score }: EvaluatorResult): string[] {
  return [...items.map(itemLine), ...itemSum(items, score)]
}

/** What a check says for and against the answer besides its items, of which it says the texts once more. */
export function withoutItems(said: readonly string[], { items = [] }: EvaluatorResult): string[] {
  const repeats = (line: string) => (item: RubricItem) =>
    line.startsWith(item.text) && ITEM_MARKS.test(line.slice(item.text.length))
  return said.filter(line => !items.some(repeats(line)))
}

/** What may follow the text of an item: its score, and that it is required. */
const ITEM_MARKS = /^( \([\d.]+ of 10\))?( \(required(: at least [\d.]+)?\))?$/

/** `- not satisfied: Is brief — It rambles. (brief, weight 2, required: missed)`. */
function itemLine(item: RubricItem): string {
  const { id, passed } = item
  const facts = [id, ...weightFacts(item)].join(', ')
  return `${passed ? '+' : '-'} ${onOneLine(itemText(item))} (${onOneLine(facts)})`
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
    ...(weight === 1 ? [] : [`weight ${shortNumber(weight)}`]),
    ...(required ? [passed ? 'required' : 'required: missed'] : []),
  ]
}

/** `satisfied`, `7 of 10`, or `4 of 10 (at least 5 required)`. */
export function itemFinding({ satisfied, score, required_min_score: minimum }: RubricItem): string {
  const needed = minimum === undefined ? '' : ` (at least ${shortNumber(minimum)} required)`
  if (satisfied === undefined) return `${shortNumber(score ?? 0)} of 10${needed}`
  return satisfied ? 'satisfied' : 'not satisfied'
}

/** The sum, where the score is that of the items: as it is, or turned around. */
export function itemSum(items: readonly RubricItem[], score: number | null): string[] {
  if (score === null || items.every(({ weight }) => weight === 0)) return []
  const parts = items.map(({ satisfied, score, weight }) => ({
    score: satisfied === undefined ? (score ?? 0) / 10 : Number(satisfied),
    weight,
  }))
  const average = weightedAverage(parts)
  const isScore = (value: number) => Math.abs(value - score) < 1e-6
  if (isScore(average)) return [`score = ${weightedSum(parts)} = ${shortNumber(score)}`]
  return isScore(1 - average) ? [`score = 1 - ${weightedSum(parts)} = ${shortNumber(score)}`] : []
}
