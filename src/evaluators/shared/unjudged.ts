import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'

/** Whether a pattern matches; throws `Unjudged` if the search takes too long. */
export function matchesPattern(pattern: string, flags: string, text: string, host: Host): boolean {
  return inTime(host.patterns.test(pattern, flags, text), pattern)
}

/** Counts the matches of a pattern; throws `Unjudged` if the search takes too long. */
export function countMatches(pattern: string, flags: string, text: string, host: Host): number {
  return inTime(host.patterns.count(pattern, flags, text), pattern)
}

function inTime<Found>(found: Found | undefined, pattern: string): Found {
  if (found === undefined) throw new Unjudged('regex-too-slow', `the pattern took more than a second: ${pattern}`)
  return found
}

/** The error for a comparison that would round an integer. */
export function inexactNumberError(written: number | string): Unjudged {
  const message = `the integer ${written} is too large to be compared exactly: have the target write it as a string`
  return new Unjudged('inexact-number', message)
}

/** Larger numbers are written with an exponent, so they are not ids. */
const LARGEST_WITH_DIGITS = 1e21

/** Finds an integer beyond 2^53 in a JSON value, which may have been rounded. */
export function findLargeInteger(value: unknown): number | undefined {
  if (typeof value === 'number') {
    const mayBeRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
    return mayBeRounded && Math.abs(value) < LARGEST_WITH_DIGITS ? value : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const part of Object.values(value)) {
    const found = findLargeInteger(part)
    if (found !== undefined) return found
  }
  return undefined
}
