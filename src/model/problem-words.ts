import type * as z from 'zod'

/** `a list`, for a type as schemas name it. */
export function typeWords(type: string): string {
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
export function choiceWords(options: readonly string[]): string {
  return `${options.length > 1 ? 'one of ' : ''}${options.join(', ')}`
}

/** `must be at most 1`, for a value outside of its bounds. */
export function rangeWords(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  // A message of the schema's own says more than the bound.
  if (!issue.message.startsWith('Too ')) return issue.message
  const small = issue.code === 'too_small'
  const bound = Number(small ? issue.minimum : issue.maximum)
  const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? ' entries long' : ''
  if (small && unit !== '' && bound === 1) return 'must not be empty'
  const limit = small ? (issue.inclusive ? 'at least' : 'above') : issue.inclusive ? 'at most' : 'below'
  const found = typeof issue.input === 'number' ? `, found ${issue.input}` : ''
  return `must be ${limit} ${bound}${unit}${found}`
}
