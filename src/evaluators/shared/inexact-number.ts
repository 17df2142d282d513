import { Unjudged } from '../../model/grade.ts'

/** Says that a comparison would take an integer for its neighbour. */
export function inexactNumber(written: number | string): Unjudged {
  const message = `the integer ${written} is too large to be compared exactly: let the target write it as a string`
  return new Unjudged('inexact-number', message)
}

/** From here on, numbers are written with an exponent: they are no ids that could have a neighbour. */
const LARGEST_WITH_DIGITS = 1e21

/** Returns an integer in a value of JSON that may be the neighbour of what was written: one beyond 2^53. */
export function largeInteger(value: unknown): number | undefined {
  if (typeof value === 'number') {
    const mayBeRounded = Number.isInteger(value) && !Number.isSafeInteger(value)
    return mayBeRounded && Math.abs(value) < LARGEST_WITH_DIGITS ? value : undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const part of Object.values(value)) {
    const found = largeInteger(part)
    if (found !== undefined) return found
  }
  return undefined
}
