import * as z from 'zod'
import { calendarDays } from '../../lib/dates.ts'
import { exactJson } from '../../lib/json/exact-json.ts'
import { parseNumber } from '../../lib/numbers.ts'
import { deepEqual, isNestedWithin } from '../../lib/objects.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'
import { matchesPattern } from './unjudged.ts'

export interface MatchSettings {
  readonly tolerance?: number | undefined
  readonly relative?: boolean | undefined
  readonly formats?: readonly string[] | undefined
}

interface FieldMatch {
  /** The settings that it reads. */
  readonly reads?: readonly (keyof MatchSettings)[]
  /** Why nothing can be compared with an expected value in this way. */
  problem?(expected: unknown, settings: MatchSettings): string | undefined
  matches(actual: unknown, expected: unknown, settings: MatchSettings, host: Host): boolean
  /** What is asked of a field that need not be the same, in words. */
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

/** The ways to compare a field with what is expected of it. */
export const fieldMatches: Readonly<Record<keyof typeof MATCHES, FieldMatch>> = MATCHES

/** How far two numbers are apart: exactly, where both are whole. */
function distance(a: number | bigint, b: number | bigint): number | bigint {
  if (!isWhole(a) || !isWhole(b)) return Math.abs(Number(a) - Number(b))
  const apart = BigInt(a) - BigInt(b)
  return apart < 0n ? -apart : apart
}

/** What arithmetic may add in the last digits of numbers that are not whole. */
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
  if (days.length === 0) return `${text} is not a date in a form that is known: say in \`formats\` how it is written`
  return `${text} could be ${days.slice(0, 2).join(' or ')}: say in \`formats\` which`
}

/** A value as the text that is compared. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (isNestedWithin(value, DEEPEST)) return exactJson(value)
  throw new Unjudged('too-deep', 'a field of the answer is nested too deeply to be compared as text')
}

/** Nothing that is expected is nested deeper. */
const DEEPEST = 100

export const fieldSchema = z
  .strictObject({
    path: z
      .string()
      .describe('Where the field is: keys with dots, list items as `[n]`. `[0]` is never the key `0` of a mapping.'),
    match: z
      .enum(Object.keys(fieldMatches) as (keyof typeof fieldMatches)[])
      .default('exact')
      .describe('How the two values are compared.'),
    weight: z.number().min(0).default(1).describe('Share of the field in the score.'),
    required: z.boolean().default(false).describe('The whole check scores 0 when this field does not match.'),
    tolerance: z.number().min(0).optional().describe('With `numeric_tolerance`: how far apart the numbers may be.'),
    relative: z.boolean().optional().describe('The tolerance is a share of the expected number.'),
    formats: z
      .array(z.string().min(1))
      .min(1)
      .optional()
      .describe('With `date`: how dates are written, as `DD/MM/YYYY`.'),
  })
  .describe('A field that is compared.')

export type Field = z.output<typeof fieldSchema>
