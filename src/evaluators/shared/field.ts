import { calendarDays } from '../../lib/dates.ts'
import { exactJson } from '../../lib/json/exact-json.ts'
import { lazily } from '../../lib/lazily.ts'
import { parseNumber } from '../../lib/numbers.ts'
import { deepEqual, isNestedWithin } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import { matchesPattern } from './unjudged.ts'

export interface MatchSettings {
  readonly tolerance?: number | undefined
  readonly relative?: boolean | undefined
  readonly formats?: readonly string[] | undefined
}

interface FieldMatch {
  /** The settings that this match uses. */
  readonly reads?: readonly (keyof MatchSettings)[]
  /** Describes why an expected value cannot be compared in this way. */
  problem?(expected: unknown, settings: MatchSettings): string | undefined
  matches(actual: unknown, expected: unknown, settings: MatchSettings, host: Host): boolean
  /** Describes the comparison, if it is not equality. */
  words?(settings: MatchSettings): string
}

const MATCHES = {
  exact: { matches: deepEqual },
  contains: {
    matches: (actual, expected) => textOf(actual).includes(textOf(expected)),
    words: () => 'containing the expected text',
  },
  regex: {
    matches: (actual, expected, _, host) => matchesPattern(String(expected), '', textOf(actual), host),
    words: () => 'matching the expected pattern',
  },
  numeric_tolerance: {
    reads: ['tolerance', 'relative'],
    problem: expected =>
      parseNumber(expected) === undefined ? `${quoteCode(textOf(expected))} is not a number` : undefined,
    matches: (actual, expected, { tolerance = 0, relative = false }) => {
      const [number, wanted] = [parseNumber(actual), parseNumber(expected)]
      if (number === undefined || wanted === undefined) return false
      const allowed = relative ? tolerance * Math.abs(Number(wanted)) : tolerance
      return distance(number, wanted) <= allowed + rounding(number, wanted)
    },
    words: ({ tolerance = 0, relative }) =>
      relative ? `within ${Number((tolerance * 100).toPrecision(12))} % of the expected number` : `within ${tolerance}`,
  },
  date: {
    reads: ['formats'],
    problem: (expected, { formats }) => dateProblem(calendarDays(textOf(expected), formats), expected),
    matches: (actual, expected, { formats }) => {
      const days = calendarDays(textOf(actual), formats)
      if (days.length > 1) throw new Unjudged('ambiguous-date', dateProblem(days, actual) ?? '')
      return days.length === 1 && days[0] === calendarDays(textOf(expected), formats)[0]
    },
    words: ({ formats }) => `as a date${formats ? ` like ${formats.join(' or ')}` : ''}`,
  },
} satisfies Record<string, FieldMatch>

/** The ways to compare a field with its expected value. */
export const fieldMatches: Readonly<Record<keyof typeof MATCHES, FieldMatch>> = MATCHES

/** The difference of two numbers; exact if both are integers. */
function distance(a: number | bigint, b: number | bigint): number | bigint {
  if (!isWhole(a) || !isWhole(b)) return Math.abs(Number(a) - Number(b))
  const apart = BigInt(a) - BigInt(b)
  return apart < 0n ? -apart : apart
}

/** The rounding error that arithmetic may add to numbers that are not integers. */
function rounding(a: number | bigint, b: number | bigint): number {
  if (isWhole(a) && isWhole(b)) return 0
  return 4 * Number.EPSILON * Math.max(Math.abs(Number(a)), Math.abs(Number(b)))
}

function isWhole(number: number | bigint): boolean {
  return typeof number === 'bigint' || Number.isInteger(number)
}

function dateProblem(days: readonly string[], written: unknown): string | undefined {
  if (days.length === 1) return undefined
  const text = quoteCode(textOf(written))
  if (days.length === 0) return `${text} is not a date in a known format: set \`formats\``
  return `${text} is ambiguous: ${days.slice(0, 2).join(' or ')}; set \`formats\``
}

/** A value as text, for comparison. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (isNestedWithin(value, DEEPEST)) return exactJson(value)
  throw new Unjudged('too-deep', 'a field of the answer is nested too deeply to be compared as text')
}

/** No expected value is nested deeper. */
const DEEPEST = 100

export const fieldSchema = lazily(() =>
  z
    .strictObject({
      path: z
        .string()
        .describe('Path of the field: keys with dots, list items as `[n]`. `[0]` is never the key `0` of a mapping.'),
      match: z
        .enum(Object.keys(fieldMatches) as (keyof typeof fieldMatches)[])
        .default('exact')
        .describe('How to compare the two values.'),
      weight: z.number().min(0).default(1).describe('Weight of the field in the score.'),
      required: z.boolean().default(false).describe('If true, the check scores 0 when this field does not match.'),
      tolerance: z.number().min(0).optional().describe('With `numeric_tolerance`: maximum difference of the numbers.'),
      relative: z.boolean().optional().describe('If true, the tolerance is a fraction of the expected number.'),
      formats: z
        .array(z.string().min(1))
        .min(1)
        .optional()
        .describe('With `date`: the formats of dates, such as `DD/MM/YYYY`.'),
    })
    .describe('A field to compare.'),
)

export type Field = z.output<ReturnType<typeof fieldSchema>>
