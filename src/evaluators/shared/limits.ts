import { formatNumber, formatPlainNumber } from '../../lib/text/format.ts'
import * as z from '../../lib/zod.ts'
import { type Grade, Unjudged } from '../../model/grade.ts'
import { type Fact, hitsAndMisses } from './fact.ts'

/** The field of an inclusive upper limit. */
export function limit(description: string) {
  return z.number().min(0).optional().describe(description)
}

/** Describes the given limits with their units: `at most 1000 in total, 200 output`. */
export function describeLimits<Units extends Readonly<Record<string, string>>>(
  limits: { readonly [Key in keyof Units]?: number | undefined },
  units: Units,
): string {
  const given = Object.entries(units).flatMap(([key, unit]) =>
    limits[key] === undefined ? [] : [`${limits[key]} ${unit}`],
  )
  return given.length === 0 ? '' : `at most ${given.join(', ')}`
}

/** Parses such a description; undefined for other texts. */
export function parseLimits(
  words: string,
  units: Readonly<Record<string, string>>,
): Record<string, number> | undefined {
  const entries = words
    .replace(/^at most /, '')
    .split(', ')
    .map(part => {
      const [, value, unit = ''] = /^(\S+) (.+)$/.exec(part) ?? []
      return [Object.entries(units).find(([, written]) => written === unit)?.[0] ?? '', Number(value)] as const
    })
  return entries.every(([key, value]) => key !== '' && !Number.isNaN(value)) ? Object.fromEntries(entries) : undefined
}

/** A number that may have a limit. */
export interface Figure {
  /** Name of the number: `cost`, `tool calls`. */
  readonly what: string
  readonly limit: number | undefined
  /** Called only if there is a limit. Undefined if the target did not report the number. */
  value(): number | undefined
  /** Appended to the error for an unknown number. */
  readonly unknown?: string
  /** `$0.05`, `120 ms`. */
  format?(value: number): string
}

/** Grades 1 if every limit holds; throws `Unjudged` if a number is unknown. */
export function gradeLimits(figures: readonly Figure[], others: readonly Fact[] = []): Grade {
  const { hits, misses } = hitsAndMisses([...figures.flatMap(factOf), ...others])
  return { score: misses.length === 0 ? 1 : 0, hits, misses }
}

function factOf({ what, limit, value: read, unknown = '', format = String }: Figure): Fact[] {
  if (limit === undefined) return []
  const value = read()
  if (value === undefined) throw new Unjudged('not-reported', `the target reported no ${what}${unknown}`)
  // Tolerates rounding errors of arithmetic.
  const kept = value <= limit * (1 + 4 * Number.EPSILON)
  return [{ kept, text: `${what}: ${format(value)}, ${kept ? 'within' : 'above'} ${format(limit)}` }]
}

/** Appended to the error for an unknown cost. */
export const NO_COST = ', and has no `price` to compute it from'

export const milliseconds = (value: number) => `${formatNumber(value)} ms`
export const dollars = (value: number) => `$${formatPlainNumber(value)}`
