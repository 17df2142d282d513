import { plural } from '../../lib/text/format.ts'
import type { Issue } from '../../model/issue.ts'
import type { Path } from '../../model/location.ts'

/** How often something may happen; both bounds are inclusive. */
export interface Bounds {
  readonly min: number
  readonly max?: number | undefined
}

/** `exactly 2 times`, `at least 1 time`, `at most 3 times`, `2 to 3 times`. */
export function describeBounds({ min, max }: Bounds): string {
  if (max === undefined) return `at least ${plural(min, 'time')}`
  if (min === max) return `exactly ${plural(max, 'time')}`
  return min === 0 ? `at most ${plural(max, 'time')}` : `${min} to ${plural(max, 'time')}`
}

/** Such words as a part of a regular expression, without groups. */
export const BOUNDS_WORDS = '(?:exactly|at least|at most|\\d+ to) \\d+ times?'

/** Parses such words; undefined for any other text. */
export function parseBounds(words: string): Bounds | undefined {
  const [, how = '', from, count] = /^(exactly|at least|at most|(\d+) to) (\d+) times?$/.exec(words) ?? []
  if (count === undefined) return undefined
  const [min, max] = [Number(from ?? (how === 'at most' ? 0 : count)), Number(count)]
  return how === 'at least' ? { min } : { min, max }
}

/** Bounds that no count, or every count, is within. `at` has the keys `min` and `max`. */
export function boundsIssues({ min, max }: Bounds, at: Path = []): Issue[] {
  if (max !== undefined && min > max) {
    const message = `\`min\` is ${min}, above \`max\`, which is ${max}`
    return [{ code: 'bad-range', path: [...at, 'min'], message, hint: 'write the lower number as `min`' }]
  }
  if (min > 0 || max !== undefined) return []
  const message = '`min: 0` without `max` allows every number, so the check cannot fail'
  return [{ code: 'bad-range', path: [...at, 'min'], message, hint: 'set `max`, or a higher `min`' }]
}
