/** A version of JSON Schema: its URL and its keywords. */
export interface Dialect {
  readonly name: string
  readonly address: string
  readonly keywords: ReadonlySet<string>
}

const DESCRIBING = ['title', 'description', 'default', 'examples', 'readOnly', 'writeOnly', '$comment']
const REFERRING = ['$schema', '$id', '$ref', '$defs', 'definitions']
const COMPARING = ['type', 'enum', 'const']
const OF_NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const OF_TEXTS = ['minLength', 'maxLength', 'pattern']
const DESCRIBING_TEXTS = ['format', 'contentMediaType', 'contentEncoding']
const OF_LISTS = ['items', 'contains', 'minItems', 'maxItems', 'uniqueItems']
const OF_MAPPINGS = [
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames'],
  ...['required', 'minProperties', 'maxProperties', 'dependencies'],
]
const JOINING = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else']
const EVERYWHERE = [
  ...[...DESCRIBING, ...REFERRING, ...COMPARING, ...JOINING],
  ...[...OF_NUMBERS, ...OF_TEXTS, ...DESCRIBING_TEXTS, ...OF_LISTS, ...OF_MAPPINGS],
]
const SINCE_2019 = [
  ...['$anchor', '$vocabulary', 'deprecated', 'contentSchema', 'dependentRequired', 'dependentSchemas'],
  ...['minContains', 'maxContains', 'unevaluatedItems', 'unevaluatedProperties'],
]

const APPLIED = new Map([
  ...OF_NUMBERS.map(keyword => [keyword, 'number'] as const),
  ...OF_TEXTS.map(keyword => [keyword, 'string'] as const),
  ...OF_LISTS.map(keyword => [keyword, 'array'] as const),
  ...OF_MAPPINGS.map(keyword => [keyword, 'object'] as const),
])

/** The type of value that a keyword applies to; undefined for annotations and keywords for any type. */
export function appliesTo(keyword: string): 'number' | 'string' | 'array' | 'object' | undefined {
  return APPLIED.get(keyword)
}

/** The supported dialects, the default first. */
export const DIALECTS: readonly [Dialect, ...Dialect[]] = [
  {
    name: '2020-12',
    address: 'https://json-schema.org/draft/2020-12/schema',
    keywords: new Set([...EVERYWHERE, ...SINCE_2019, 'prefixItems', '$dynamicRef', '$dynamicAnchor']),
  },
  {
    name: '2019-09',
    address: 'https://json-schema.org/draft/2019-09/schema',
    keywords: new Set([...EVERYWHERE, ...SINCE_2019, 'additionalItems', '$recursiveRef', '$recursiveAnchor']),
  },
  {
    name: 'draft-07',
    address: 'http://json-schema.org/draft-07/schema#',
    keywords: new Set([...EVERYWHERE, 'additionalItems']),
  },
]

/** The dialect of a schema, or the default; undefined if it is unsupported. */
export function dialectOf(schema: unknown): Dialect | undefined {
  const named = Object(schema).$schema
  if (named === undefined) return DIALECTS[0]
  return DIALECTS.find(({ address }) => withoutHash(address) === withoutHash(String(named)))
}

function withoutHash(address: string): string {
  return address.replace(/#$/, '')
}
