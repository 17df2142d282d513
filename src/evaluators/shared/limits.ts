import * as z from 'zod'
import { formatNumber, formatPlainNumber } from '../../lib/text/format.ts'
import { type Grade, Unjudged } from '../../model/grade.ts'
import { type Fact, hitsAndMisses } from './fact.ts'

/** An upper limit, which may be reached. */
export function limit(description: string) {
  return z.number().min(0).optional().describe(description)
}

/** `at most 1000 in total, 200 output`: the limits that are given, with the words for their units. */
export function describeLimits<Units extends Readonly<Record<string, string>>>(
  limits: { readonly [Key in keyof Units]?: number | undefined },
  units: Units,
): string {
  const given = Object.entries(units).flatMap(([key, unit]) =>
    limits[key] === undefined ? [] : [`${limits[key]} ${unit}`],
  )
  return given.length === 0 ? '' : `at most ${given.join(', ')}`
}

/** The limits that such words say, under the keys of their units; undefined for other words. */
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

/** A figure that may have a limit. */
export interface Figure {
  /** What is measured: `cost`, `tool calls`. */
  readonly what: string
  readonly limit: number | undefined
  /** Looked at only where there is a limit. Undefined where the target did not report it. */
  figure(): number | undefined
  /** What else is to be said where it is not known. */
  readonly unknown?: string
  /** `$0.05`, `120 ms`. */
  shown?(value: number): string
}

/** 1 where every limit that is given is kept. A figure that is not known is no grade. */
export function gradeLimits(figures: readonly Figure[], others: readonly Fact[] = []): Grade {
  const { hits, misses } = hitsAndMisses([...figures.flatMap(factOf), ...others])
  return { score: misses.length === 0 ? 1 : 0, hits, misses }
}

function factOf({ what, limit, figure: figureOf, unknown = '', shown = String }: Figure): Fact[] {
  if (limit === undefined) return []
  const figure = figureOf()
  if (figure === undefined) throw new Unjudged('not-reported', `the target reported no ${what}${unknown}`)
  // What arithmetic adds in the last digits does not count.
  const kept = figure <= limit * (1 + 4 * Number.EPSILON)
  return [{ kept, text: `${what}: ${shown(figure)}, ${kept ? 'within' : 'above'} ${shown(limit)}` }]
}

/** What a target that does not report its cost can do about it. */
export const NO_COST = ', and it has no `price` to compute it from'

export const milliseconds = (value: number) => `${formatNumber(value)} ms`
export const dollars = (value: number) => `$${formatPlainNumber(value)}`
