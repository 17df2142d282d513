import { parseJsonPath, valueAt } from '../../../lib/json/path.ts'
import { deepEqual, isMapping } from '../../../lib/objects.ts'
import { findLargeInteger, inexactNumberError } from '../unjudged.ts'

/** An expected call. */
export interface ExpectedCall {
  readonly tool: string
  readonly args?: 'any' | Readonly<Record<string, unknown>> | undefined
  readonly args_match?: ArgsMatch | undefined
  readonly max_duration_ms?: number | undefined
}

type ArgsMatch = 'exact' | 'subset' | 'superset' | 'ignore' | readonly string[]

/** Whether the arguments of a call match; by default it must have all expected ones. */
export function argsMatch(
  actual: unknown,
  expected: 'any' | Readonly<Record<string, unknown>> | undefined,
  how: ArgsMatch = 'superset',
): boolean {
  if (expected === undefined || expected === 'any' || how === 'ignore') return true
  const given = actual ?? {}
  if (!areSame(given, expected, how)) return false
  // Numbers of the answer may have been rounded when they were parsed.
  const large = findLargeInteger(how === 'subset' ? given : comparedOf(expected, how))
  if (large !== undefined) throw inexactNumberError(large)
  return true
}

/** The expected arguments that are compared. */
function comparedOf(expected: Readonly<Record<string, unknown>>, how: ArgsMatch): unknown {
  if (typeof how === 'string') return expected
  return how.map(path => valueAt(expected, parseJsonPath(path) ?? [])?.value)
}

function areSame(
  given: unknown,
  expected: Readonly<Record<string, unknown>>,
  how: Exclude<ArgsMatch, 'ignore'>,
): boolean {
  if (how === 'superset' && Object.keys(expected).length === 0) return true
  if (how === 'exact') return deepEqual(given, expected)
  if (how === 'subset') return isWithin(given, expected)
  if (how === 'superset') return isWithin(expected, given)
  return how.every(path => {
    const steps = parseJsonPath(path) ?? []
    const [wanted, found] = [valueAt(expected, steps), valueAt(given, steps)]
    return wanted !== undefined && found !== undefined && deepEqual(found.value, wanted.value)
  })
}

/** Whether a value contains every key of another with the same value, at every level. */
function isWithin(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    return part.length === whole.length && part.every((item, index) => isWithin(item, whole[index]))
  }
  if (!isMapping(part) || !isMapping(whole)) return part === whole
  return Object.keys(part).every(key => Object.hasOwn(whole, key) && isWithin(part[key], whole[key]))
}
