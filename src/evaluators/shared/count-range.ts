import * as z from 'zod'
import { atLeastOne } from '../../lib/schema-rules.ts'

/** An exact number, or inclusive limits. */
export const countField = z.union([
  z.int().min(0),
  atLeastOne(
    z.strictObject({
      min: z.int().min(0).optional().describe('Lowest number.'),
      max: z.int().min(0).optional().describe('Highest number.'),
    }),
    'min',
    'max',
  ),
])

export type Count = z.output<typeof countField>

/** Inclusive limits. */
export interface CountRange {
  readonly min: number
  readonly max: number
}

export function rangeOf(count: Count): CountRange {
  if (typeof count === 'number') return { min: count, max: count }
  return { min: count.min ?? 0, max: count.max ?? Number.POSITIVE_INFINITY }
}

/** `exactly 3`, `at least 1`, `at most 2`, `1 to 3`. */
export function describeRange({ min, max }: CountRange): string {
  if (min === max) return `exactly ${min}`
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`
  return min === 0 ? `at most ${max}` : `${min} to ${max}`
}

/** Parses such a description. */
export function parseRange(words: string): Count | undefined {
  const [, exact, least, most, from, to] =
    /^(?:exactly (\d+)|at least (\d+)|at most (\d+)|(\d+) to (\d+))$/.exec(words) ?? []
  if (exact !== undefined) return Number(exact)
  if (least !== undefined) return { min: Number(least) }
  if (most !== undefined) return { max: Number(most) }
  return from === undefined ? undefined : { min: Number(from), max: Number(to) }
}
