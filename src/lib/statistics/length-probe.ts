import { assertPositive } from './assertions.ts'
import { studentQuantile, studentTwoSidedP } from './distributions.ts'
import { CONFIDENCE_LEVEL, type Interval } from './intervals.ts'
import { mean } from './means.ts'

/** A labelled answer, for the probe of its length. */
export interface MeasuredAnswer {
  readonly characters: number
  readonly label: number
  readonly judged: number
}

export interface LengthProbe {
  /** How much the judge scores above people with each doubling of the length. */
  readonly per_doubling: number
  readonly standard_error: number
  readonly interval: Interval
  /** How likely chance gives such a slope; never 0. */
  readonly p: number
}

/** Whether a judge prefers long answers: judge − person on log₂ of the characters. Undefined where a slope cannot be told. */
export function lengthProbe(answers: readonly MeasuredAnswer[]): LengthProbe | undefined {
  for (const { characters } of answers) assertPositive('The length of an answer', characters)
  const lengths = answers.map(({ characters }) => Math.log2(characters))
  if (answers.length < 3 || lengths.every(length => length === lengths[0])) return undefined
  const excess = answers.map(({ label, judged }) => judged - label)
  const [x0, y0] = [mean(lengths), mean(excess)]
  const spread = sumOf(lengths, x => (x - x0) ** 2)
  const per_doubling = sumOf(lengths, (x, index) => (x - x0) * ((excess[index] ?? 0) - y0)) / spread
  const rest = sumOf(lengths, (x, index) => ((excess[index] ?? 0) - y0 - per_doubling * (x - x0)) ** 2)
  const df = answers.length - 2
  // Below it, the rest is only a rounding error.
  const standard_error = rest < 1e-24 ? 0 : Math.sqrt(rest / df / spread)
  const half = studentQuantile((1 + CONFIDENCE_LEVEL) / 2, df) * standard_error
  return {
    per_doubling,
    standard_error,
    interval: { low: per_doubling - half, high: per_doubling + half },
    p: pOf(per_doubling, standard_error, df),
  }
}

function pOf(slope: number, standardError: number, df: number): number {
  if (standardError > 0) return Math.max(Number.MIN_VALUE, studentTwoSidedP(slope / standardError, df))
  return Math.abs(slope) < 1e-12 ? 1 : Number.MIN_VALUE
}

function sumOf(values: readonly number[], part: (value: number, index: number) => number): number {
  return values.reduce((sum, value, index) => sum + part(value, index), 0)
}
