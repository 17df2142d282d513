import { lazily } from '../../lib/lazily.ts'
import { atLeastOne } from '../../lib/schema-rules.ts'
import * as z from '../../lib/zod.ts'
import type { Issue } from '../../model/issue.ts'
import type { Path } from '../../model/location.ts'

/** An exact number, or inclusive limits. */
export const countField = lazily(() =>
  z.union([
    z.int().min(0),
    atLeastOne(
      z.strictObject({
        min: z.int().min(0).optional().describe('Lowest number. Default: 0.'),
        max: z.int().min(0).optional().describe('Highest number.'),
      }),
      'min',
      'max',
    ),
  ]),
)

export type Count = z.output<ReturnType<typeof countField>>

/** Inclusive limits; without `max`, there is no upper one. */
export interface CountRange {
  readonly min: number
  readonly max?: number | undefined
}

export function rangeOf(count: Count): CountRange {
  return typeof count === 'number' ? { min: count, max: count } : { min: count.min ?? 0, max: count.max }
}

export function isWithin(count: number, { min, max = Number.POSITIVE_INFINITY }: CountRange): boolean {
  return count >= min && count <= max
}

/** `exactly 3`, `at least 1`, `at most 2`, `1 to 3`. */
export function describeRange({ min, max }: CountRange): string {
  if (max === undefined) return `at least ${min}`
  if (min === max) return `exactly ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}

/** The same for how often something happens: `exactly 3 times`. */
export function describeTimes(range: CountRange): string {
  return `${describeRange(range)} ${(range.max ?? range.min) === 1 ? 'time' : 'times'}`
}

/** Such words as a part of a regular expression, without groups. */
export const RANGE_WORDS = '(?:exactly|at least|at most|\\d+ to) \\d+'

/** Parses such words, with or without `times`; undefined for any other text. */
export function parseRange(words: string): CountRange | undefined {
  const [, how = '', from, last] = /^(exactly|at least|at most|(\d+) to) (\d+)(?: times?)?$/.exec(words) ?? []
  if (last === undefined) return undefined
  const count = Number(last)
  if (how === 'at least') return { min: count }
  return { min: Number(from ?? (how === 'at most' ? 0 : count)), max: count }
}

/** The count that a range is written as. */
export function countOf({ min, max }: CountRange): Count {
  if (max === undefined) return { min }
  return min === max ? min : { ...(min === 0 ? {} : { min }), max }
}

/** Ranges that no count, or every count, is within. `at` has the keys `min` and `max`. */
export function rangeIssues({ min, max }: CountRange, at: Path = []): Issue[] {
  if (max !== undefined && min > max) {
    const message = `\`min\` is ${min}, above \`max\`, which is ${max}`
    return [{ code: 'bad-range', path: [...at, 'min'], message, hint: 'write the lower number as `min`' }]
  }
  if (min > 0 || max !== undefined) return []
  const message = '`min: 0` without `max` allows every number, so the check cannot fail'
  return [{ code: 'bad-range', path: [...at, 'min'], message, hint: 'set `max`, or a higher `min`' }]
}
