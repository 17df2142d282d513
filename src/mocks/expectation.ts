import { formatJson } from '../lib/json/stringify.ts'
import { deepEqual, isMapping } from '../lib/objects.ts'
import { quoteCode } from '../lib/text/quote.ts'
import { INPUT_TYPES } from '../model/mock.ts'

type InputType = (typeof INPUT_TYPES)[number]

/** The JSON Schema of `input`: the type of each argument by name, with `?` after the name of an optional one. */
export function inputSchema(input: Readonly<Record<string, InputType>> | undefined): Record<string, unknown> {
  if (!input) return { type: 'object' }
  const names = Object.keys(input).map(written => ({ written, name: argumentName(written) }))
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(({ written, name }) => [name, typeSchema(input[written] ?? 'any')])),
    required: names.filter(({ written, name }) => written === name).map(({ name }) => name),
    additionalProperties: false,
  }
}

/** The name of an argument without the mark of an optional one. */
export function argumentName(written: string): string {
  return written.length > 1 && written.endsWith('?') ? written.slice(0, -1) : written
}

function typeSchema(type: InputType): Record<string, unknown> {
  return type === 'any' ? {} : { type }
}

const TYPE_TESTS: Readonly<Record<InputType, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  number: value => typeof value === 'number',
  integer: Number.isInteger,
  boolean: value => typeof value === 'boolean',
  object: isMapping,
  array: Array.isArray,
  any: () => true,
}

function isType(word: unknown): word is InputType {
  return INPUT_TYPES.some(type => type === word)
}

/** The pattern in `/…/`; undefined for any other text. */
export function patternIn(expected: unknown): string | undefined {
  if (typeof expected !== 'string' || expected.length < 3) return undefined
  return expected.startsWith('/') && expected.endsWith('/') ? expected.slice(1, -1) : undefined
}

/** Describes the first argument that is not as expected; undefined if all are. */
export function unexpectedArgument(expect: Readonly<Record<string, unknown>>, input: unknown): string | undefined {
  for (const [path, expected] of Object.entries(expect)) {
    const found = valueAtDots(input, path)
    if (!found) return `${quoteCode(path)} is missing`
    if (!isExpected(expected, found.value))
      return `${quoteCode(path)} is ${formatJson(found.value, 100)}, expected ${formatJson(expected, 100)}`
  }
  return undefined
}

function valueAtDots(root: unknown, path: string): { readonly value: unknown } | undefined {
  let value = root
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return { value }
}

function isExpected(expected: unknown, value: unknown): boolean {
  if (Array.isArray(expected)) return expected.some(each => deepEqual(each, value))
  if (isType(expected)) return TYPE_TESTS[expected](value)
  const pattern = patternIn(expected)
  if (pattern !== undefined) return typeof value === 'string' && new RegExp(pattern).test(value)
  return deepEqual(expected, value)
}
