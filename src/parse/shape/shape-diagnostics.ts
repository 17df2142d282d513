import type { DiagnosticCode } from '../../diagnostics/codes.ts'
import type { RuleParams } from '../../lib/schema-rules.ts'
import { quoteCode } from '../../lib/text/quote.ts'
import { closestMatch } from '../../lib/text/suggestion.ts'
import type * as z from '../../lib/zod.ts'
import { describeChoices, describeRange, describeType } from '../../lib/zod-problem.ts'
import type { Part } from '../../model/location.ts'
import { hintsAt, keysAt } from './schema-keys.ts'

type ZodIssue = z.core.$ZodIssue
type IssuePath = (string | number)[]

export interface ShapeDiagnostic {
  readonly code: DiagnosticCode
  readonly path: IssuePath
  readonly part?: Part
  readonly message: string
  readonly hint?: string | undefined
  /** Path of the key that a misspelt key resembles. */
  readonly means?: IssuePath
  /** Keys of which at least one is required. */
  readonly oneOf?: readonly string[]
}

/** Converts the issues of zod into diagnostics. */
export function shapeDiagnostics(
  issues: readonly ZodIssue[],
  schema: z.ZodType,
  base: IssuePath = [],
): ShapeDiagnostic[] {
  const diagnostics = issues.flatMap(issue =>
    diagnosticsOfIssue({ ...issue, path: [...base, ...(issue.path as IssuePath)] }, schema),
  )
  const suggested = new Set(diagnostics.flatMap(({ means }) => (means ? [means.join('\0')] : [])))
  return diagnostics.filter(({ code, path, oneOf }) => {
    const missing = oneOf?.map(key => [...path, key]) ?? [path]
    return code !== 'missing-key' || !missing.some(key => suggested.has(key.join('\0')))
  })
}

function diagnosticsOfIssue(issue: ZodIssue, schema: z.ZodType): ShapeDiagnostic[] {
  const path = issue.path as IssuePath
  switch (issue.code) {
    case 'invalid_type':
      return [withValueHint(wrongType(path, [issue.expected], issue.input), issue.input, schema)]
    case 'unrecognized_keys':
      return issue.keys.map(key => unknownKey(path, key, schema, issue.input))
    case 'invalid_value':
      return [badChoice(path, issue.values.map(String), issue.input)]
    case 'too_small':
    case 'too_big':
      return [{ code: 'out-of-range', path, message: `${subject(path)} ${describeRange(issue)}` }]
    case 'invalid_format':
      return [withValueHint(badFormat(path, issue), issue.input, schema)]
    case 'invalid_union':
      return unionDiagnostics(issue, schema)
    case 'invalid_key':
      return shapeDiagnostics(issue.issues, schema, path).map(diagnostic => ({ ...diagnostic, part: 'key' }))
    case 'custom':
      return [customDiagnostic(issue)]
    default:
      return [{ code: 'wrong-type', path, message: `${subject(path)}: ${issue.message}` }]
  }
}

/** Reports the issues of the branch of a union that matches the value best. */
function unionDiagnostics(issue: z.core.$ZodIssueInvalidUnion, schema: z.ZodType): ShapeDiagnostic[] {
  const path = issue.path as IssuePath
  if ('options' in issue && Array.isArray(issue.options)) return [badDiscriminator(issue, issue.options.map(String))]
  const fitting = issue.errors.filter(branch => !branch.some(isRootType))
  const others = issue.errors.flatMap(branch => branch.filter(isRootType).flatMap(expectedOf))
  const [best] = fitting.sort((a, b) => a.length - b.length)
  if (!best) return [withValueHint(wrongType(path, others, issue.input), issue.input, schema)]
  const [only] = best
  if (best.length === 1 && only?.code === 'invalid_value' && only.path.length === 0) {
    const choice = badChoice(path, only.values.map(String), issue.input, others)
    return [choice.hint === undefined ? withValueHint(choice, issue.input, schema) : choice]
  }
  return shapeDiagnostics(best, schema, path)
}

/** Whether a branch of a union does not match at all: another type, or literals for a value that is not a string. */
function isRootType(issue: ZodIssue): boolean {
  if (issue.path.length > 0) return false
  return issue.code === 'invalid_type' || (issue.code === 'invalid_value' && typeof issue.input !== 'string')
}

function expectedOf(issue: ZodIssue): string[] {
  if (issue.code === 'invalid_value') return issue.values.map(value => `\`${String(value)}\``)
  return issue.code === 'invalid_type' ? [issue.expected] : []
}

function badDiscriminator(issue: z.core.$ZodIssueInvalidUnion, options: string[]): ShapeDiagnostic {
  const path = issue.path as IssuePath
  const key = String(path.at(-1))
  const holder = issue.input
  if (typeof holder !== 'object' || holder === null) return wrongType(path.slice(0, -1), ['object'], holder)
  return badChoice(path, options, (holder as Record<string, unknown>)[key])
}

function wrongType(path: IssuePath, expected: readonly string[], input: unknown): ShapeDiagnostic {
  const words = [...new Set(expected.map(describeType))].join(' or ')
  if (input === undefined) {
    return { code: 'missing-key', path, message: `\`${path.at(-1)}\` is missing`, hint: `it must be ${words}` }
  }
  const message = `${subject(path)} must be ${words}, found ${foundWords(input)}`
  return { code: 'wrong-type', path, message, hint: typeHint(expected, input) }
}

function typeHint(expected: readonly string[], input: unknown): string | undefined {
  if (input === null) return 'set a value, or remove the key'
  const isBare = typeof input === 'number' || typeof input === 'boolean'
  if (isBare && expected.includes('string') && !expected.includes('record')) return 'put it in quotes'
  if (expected.includes('array') && typeof input === 'string') {
    return 'write a list: each entry on its own line, after `- `'
  }
  return undefined
}

function badFormat(path: IssuePath, { input, message }: ZodIssue): ShapeDiagnostic {
  const isBlank = typeof input === 'string' && input.trim() === ''
  const diagnostic = {
    code: 'bad-format',
    path,
    message: `${isBlank ? subject(path) : quoteCode(input)} ${message}`,
  } as const
  return isBlank ? { ...diagnostic, hint: 'write a text, or remove the key' } : diagnostic
}

/** Adds the hint that the schema at this path has for the value. */
function withValueHint(diagnostic: ShapeDiagnostic, input: unknown, schema: z.ZodType): ShapeDiagnostic {
  const [hint] = hintsAt(schema, diagnostic.path).flatMap(({ value }) => value?.(input) ?? [])
  return hint === undefined ? diagnostic : { ...diagnostic, hint }
}

function unknownKey(parent: IssuePath, key: string, schema: z.ZodType, input: unknown): ShapeDiagnostic {
  const hints = hintsAt(schema, parent)
  const [foreign] = hints.flatMap(({ keys = {} }) => (Object.hasOwn(keys, key) ? (keys[key] ?? []) : []))
  const known = keysAt(schema, parent, input)
  const suggested = foreign === undefined ? closestMatch(key, known) : undefined
  const [other] = hints.flatMap(({ otherKeys }) => otherKeys ?? [])
  const all = `valid keys are ${known.join(', ')}`
  const hint =
    foreign ?? (suggested ? `did you mean \`${suggested}\`?` : other === undefined ? all : `${other}; ${all}`)
  const diagnostic: ShapeDiagnostic = {
    code: 'unknown-key',
    path: [...parent, key],
    part: 'key',
    message: `unknown key ${quoteCode(key)}`,
    hint,
  }
  return suggested ? { ...diagnostic, means: [...parent, suggested] } : diagnostic
}

function badChoice(
  path: IssuePath,
  options: string[],
  input: unknown,
  others: readonly string[] = [],
): ShapeDiagnostic {
  if (input === undefined) {
    return {
      code: 'missing-key',
      path,
      message: `\`${path.at(-1)}\` is missing`,
      hint: `it must be ${describeChoices(options)}`,
    }
  }
  const suggested = typeof input === 'string' ? closestMatch(input, options) : undefined
  const also = others.map(type => ` or ${describeType(type)}`).join('')
  const message = `${subject(path)} must be ${describeChoices(options)}${also}, found ${foundWords(input)}`
  return { code: 'bad-choice', path, message, hint: suggested && `did you mean \`${suggested}\`?` }
}

function customDiagnostic(issue: z.core.$ZodIssueCustom): ShapeDiagnostic {
  return { path: issue.path as IssuePath, message: issue.message, ...(issue.params as RuleParams) }
}

function subject(path: IssuePath): string {
  const last = path.at(-1)
  if (last === undefined) return 'this'
  return typeof last === 'number' ? `entry ${last + 1}` : `\`${last}\``
}

function foundWords(input: unknown): string {
  if (input === null) return 'no value'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'object') return 'a mapping'
  return typeof input === 'string' ? `the string ${quoteCode(input)}` : `\`${input}\``
}
