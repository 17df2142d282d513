import { Unjudged } from '../../model/grade.ts'
import type { Host } from '../../model/host.ts'

/** Whether a pattern is found; a search that takes too long is no grade. */
export function matchesPattern(pattern: string, flags: string, text: string, host: Host): boolean {
  const found = host.patterns.test(pattern, flags, text)
  if (found === undefined) throw new Unjudged('regex-too-slow', `the pattern took more than a second: ${pattern}`)
  return found
}

/** Says that a comparison would take an integer for its neighbour. */
export function inexactNumberError(written: number | string): Unjudged {
  const message = `the integer ${written} is too large to be compared exactly: let the target write it as a string`
  return new Unjudged('inexact-number', message)
}

/** From here on, numbers are written with an exponent: they are no ids that could have a neighbour. */
const LARGEST_WITH_DIGITS = 1e21

/** Returns an integer in a value of JSON that may be the neighbour of what was written: one beyond 2^53. */
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
