import { isMapping } from '../../../lib/objects.ts'
import { regexProblem } from '../../../lib/patterns.ts'
import { quoteCode } from '../../../lib/text/quote.ts'
import { didYouMean } from '../../../lib/text/suggestion.ts'
import { appliesTo, DIALECTS, type Dialect } from './dialects.ts'
import { type SchemaProblem, type Subschema, subschemas } from './subschemas.ts'

/** Unknown keywords of a schema, and keywords without effect. */
export async function keywordProblems(schema: unknown, dialect: Dialect): Promise<SchemaProblem[]> {
  const parts = [...subschemas(schema)]
  const anchors = new Set(parts.map(part => `#${String(part.schema.$dynamicAnchor)}`))
  const { FORMAT_NAMES } = await import('./formats.ts')
  return parts.flatMap(part => [
    ...unknownKeywords(part, dialect),
    ...withoutEffect(part, dialect),
    ...patternProblems(part),
    ...formatProblems(part, FORMAT_NAMES),
    ...unreadNames(part),
    ...anchorProblems(part, anchors),
  ])
}

function unknownKeywords({ schema, path }: Subschema, dialect: Dialect): SchemaProblem[] {
  const unknown = Object.keys(schema).filter(key => !dialect.keywords.has(key) && !key.startsWith('x-'))
  const found = unknown.map(key => ({
    path: [...path, key],
    part: 'key' as const,
    message: `unknown keyword ${quoteCode(key)}`,
    hint: keywordHint(key, dialect),
  }))
  const isInside = path.length > 0 && schema.$schema !== undefined
  return isInside
    ? [
        ...found,
        { path: [...path, '$schema'], part: 'key', message: '`$schema` is only allowed at the top of a schema' },
      ]
    : found
}

const HINTS: Readonly<Record<string, string>> = {
  nullable: "write the type as a list with 'null' in it: `type: [string, 'null']`",
  id: 'did you mean `$id`?',
}

function keywordHint(key: string, dialect: Dialect): string {
  const others = DIALECTS.filter(({ keywords }) => keywords.has(key)).map(({ name }) => name)
  if (others.length > 0)
    return `it is a keyword of ${others.reverse().join(' and ')}, but this schema is ${dialect.name}`
  const otherwise = 'remove it, or begin it with `x-` if it is an annotation'
  return Object.hasOwn(HINTS, key) ? String(HINTS[key]) : didYouMean(key, dialect.keywords, otherwise)
}

/** Keywords that have no effect without another one. */
const NEEDS: readonly [keyword: string, others: readonly string[]][] = [
  ['if', ['then', 'else']],
  ['then', ['if']],
  ['else', ['if']],
  ['minContains', ['contains']],
  ['maxContains', ['contains']],
]

function withoutEffect({ schema, path }: Subschema, { keywords }: Dialect): SchemaProblem[] {
  const lost = NEEDS.filter(
    ([keyword, others]) => schema[keyword] !== undefined && others.every(other => schema[other] === undefined),
  )
  const problems = lost.map(([keyword, others]) => noEffect(keyword, others.map(other => `\`${other}\``).join(' or ')))
  if (keywords.has('additionalItems') && schema.additionalItems !== undefined && !Array.isArray(schema.items))
    problems.push(noEffect('additionalItems', '`items` as a list'))
  problems.push(...ofOtherTypes(schema))
  return problems.map(({ keyword, message }) => ({ path: [...path, keyword], part: 'key', message }))
}

/** `minLength` beside `type: object`. */
function ofOtherTypes(schema: Subschema['schema']) {
  const types = [schema.type].flat().map(type => (type === 'integer' ? 'number' : String(type)))
  if (schema.type === undefined) return []
  return Object.keys(schema).flatMap(keyword => {
    const applied = appliesTo(keyword)
    return applied === undefined || types.includes(applied) ? [] : [noEffect(keyword, `\`type: ${applied}\``)]
  })
}

function noEffect(keyword: string, needed: string) {
  return { keyword, message: `\`${keyword}\` has no effect without ${needed}` }
}

/** Invalid patterns. As in the standard, they use the flag `u`. */
function patternProblems({ schema, path }: Subschema): SchemaProblem[] {
  const named = isMapping(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
  const patterns = [
    ...(typeof schema.pattern === 'string' ? [{ pattern: schema.pattern, at: ['pattern'] }] : []),
    ...named.map(pattern => ({ pattern, at: ['patternProperties', pattern] })),
  ]
  return patterns.flatMap(({ pattern, at }): SchemaProblem[] => {
    const message = regexProblem(pattern, 'u')
    const part = at.length > 1 ? 'key' : 'value'
    return message === undefined ? [] : [{ path: [...path, ...at], part, message }]
  })
}

function formatProblems({ schema: { format }, path }: Subschema, known: readonly string[]): SchemaProblem[] {
  if (typeof format !== 'string' || known.includes(format)) return []
  const hint = didYouMean(format, known, 'remove it, or describe the text with `pattern`')
  return [{ path: [...path, 'format'], message: `unknown format ${quoteCode(format)}`, hint }]
}

/** Property names that the validator ignores. */
function unreadNames({ schema, path }: Subschema): SchemaProblem[] {
  const keywords = Object.keys(schema).filter(key => isMapping(schema[key]) && Object.hasOwn(schema[key], '__proto__'))
  return keywords
    .filter(key => NAMED.has(key))
    .map(key => ({ path: [...path, key, '__proto__'], part: 'key', message: 'the name `__proto__` cannot be checked' }))
}

const NAMED: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', 'dependencies'],
])

function anchorProblems({ schema: { $dynamicRef }, path }: Subschema, anchors: ReadonlySet<string>): SchemaProblem[] {
  if (typeof $dynamicRef !== 'string' || anchors.has($dynamicRef)) return []
  return [{ path: [...path, '$dynamicRef'], message: `${quoteCode($dynamicRef)} is not in this schema` }]
}
