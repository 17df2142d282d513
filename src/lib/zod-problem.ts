import { formatJsonPath } from './json/path.ts'
import { quoteCode } from './text/quote.ts'
import type * as z from './zod.ts'

type Issue = z.core.$ZodIssue

/** Returns the first problem of a value: its path, such as `messages[0].role`, and a message about `it`. */
export function firstProblem({ issues: [issue] }: Pick<z.core.$ZodError, 'issues'>): {
  readonly path: string
  readonly message: string
} {
  if (!issue) return { path: '', message: '' }
  const inner = issue.code === 'invalid_union' ? nearestBranch(issue) : undefined
  if (inner) return firstProblem({ issues: [{ ...inner, path: [...issue.path, ...inner.path] }] })
  return { path: formatJsonPath(issue.path), message: describeProblem(issue) }
}

function describeProblem(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType([issue.expected], issue)
    case 'invalid_union':
      return wrongType(
        issue.errors.flatMap(branch => branch.flatMap(expectedOf)),
        issue,
      )
    case 'invalid_value':
      return issue.message.startsWith('Invalid ')
        ? `it must be ${describeChoices(issue.values.map(String))}`
        : issue.message
    case 'too_small':
    case 'too_big':
      return issue.message.startsWith('Too ') ? `it ${describeRange(issue)}` : issue.message
    case 'unrecognized_keys':
      return `unknown key ${issue.keys.map(key => quoteCode(key)).join(', ')}`
    default:
      return issue.message.startsWith('Invalid ') ? 'it has the wrong format' : issue.message
  }
}

/** The first problem of the union branch with the fewest, among those of the right type. */
function nearestBranch({ errors }: z.core.$ZodIssueInvalidUnion): Issue | undefined {
  const fitting = errors.filter(branch => !branch.some(issue => expectedOf(issue).length > 0))
  return fitting.sort((a, b) => a.length - b.length)[0]?.[0]
}

/** The types or values that a schema allows, if the value itself has another. */
function expectedOf(issue: Issue): string[] {
  if (issue.path.length > 0) return []
  if (issue.code === 'invalid_union') return issue.errors.flatMap(branch => branch.flatMap(expectedOf))
  if (issue.code === 'invalid_value') return issue.values.map(value => `\`${String(value)}\``)
  return issue.code === 'invalid_type' ? [issue.expected] : []
}

/** Issues carry the type of the value only in their message. */
function wrongType(expected: readonly string[], issue: Issue): string {
  const inner = issue.code === 'invalid_union' ? issue.errors.flat() : [issue]
  const [found] = inner.flatMap(({ message }) => /received (\w+)$/.exec(message)?.[1] ?? [])
  const words = [...new Set(expected.map(describeType))].join(' or ')
  if (found === 'undefined') return `it is missing, and must be ${words}`
  return `it must be ${words}${found === undefined || expected.includes('int') ? '' : `, found ${FOUND_WORDS[found] ?? describeType(found)}`}`
}

const FOUND_WORDS: Record<string, string> = { null: 'no value', boolean: 'a boolean', NaN: 'NaN', nan: 'NaN' }

/** `a list`, for a type as schemas name it. */
export function describeType(type: string): string {
  return TYPE_WORDS[type] ?? type
}

const TYPE_WORDS: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  nonoptional: 'any value',
}

/** `one of a, b`, for the values that are allowed. */
export function describeChoices(options: readonly string[]): string {
  return `${options.length > 1 ? 'one of ' : ''}${options.join(', ')}`
}

/** `must be at most 1`, for a value out of bounds. */
export function describeRange(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  // A message of the schema is more specific than the bound.
  if (!issue.message.startsWith('Too ')) return issue.message
  const small = issue.code === 'too_small'
  const bound = Number(small ? issue.minimum : issue.maximum)
  const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' entries long' : ''
  if (small && unit !== '' && bound === 1) return 'must not be empty'
  const limit = small ? (issue.inclusive ? 'at least' : 'above') : issue.inclusive ? 'at most' : 'below'
  const found = typeof issue.input === 'number' ? `, found ${issue.input}` : ''
  return `must be ${limit} ${bound}${unit}${found}`
}
