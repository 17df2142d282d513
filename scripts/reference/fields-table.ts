export type JsonSchema = {
  /** With `string` as second type and a pattern, a variable may be written in place of the value. */
  type?: string | string[]
  pattern?: string
  $ref?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  /** A list describes the first items one by one; `additionalItems` describes the rest. */
  items?: JsonSchema | JsonSchema[]
  additionalItems?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  definitions?: Record<string, JsonSchema>
  deprecated?: boolean
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
}

/** Tables of the fields of an object, and of each field that contains further fields. */
export function fieldsTables(schema: JsonSchema, omitted: readonly string[] = []): string {
  const inner = Object.entries(schema.properties ?? {})
    .filter(([name]) => !omitted.includes(name))
    .flatMap(([name, field]) => objectsIn(field).map(object => `Fields of \`${name}\`:\n\n${fieldsTable(object)}`))
  return [fieldsTable(schema, omitted), ...inner].join('\n\n')
}

/** The mappings with known fields that a field may contain, directly or in a list. */
function objectsIn(schema: JsonSchema): JsonSchema[] {
  if (schema.properties) return [schema]
  const inside = [...(schema.anyOf ?? []), ...itemsOf(schema)]
  return inside.flatMap(objectsIn)
}

/** A table of the fields of an object. */
export function fieldsTable(schema: JsonSchema, omitted: readonly string[] = []): string {
  const rows = Object.entries(schema.properties ?? {})
    .filter(([name, field]) => !omitted.includes(name) && !field.deprecated)
    .map(([name, field]) => row(name, field, schema.required?.includes(name) ?? false))
  return ['| Field | Type | Constraints | Description |', '|---|---|---|---|', ...rows].join('\n')
}

function row(name: string, field: JsonSchema, required: boolean): string {
  const constraints = [
    required ? 'required' : '',
    field.default === undefined ? '' : `default: \`${JSON.stringify(field.default)}\``,
    bounds(field),
  ].filter(constraint => constraint !== '')
  const cells = [`\`${name}\``, typeWords(field), constraints.join('; '), field.description ?? '']
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

/** Describes the type of a field. */
function typeWords(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.replace('#/definitions/', '').replace(/^check_.*/, 'check')
  if (schema.enum) return schema.enum.map(value => `\`${value}\``).join(' | ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  const options = schema.anyOf?.filter(option => option.type ?? option.$ref ?? option.anyOf ?? option.oneOf)
  if (options && options.length > 0 && !schema.type) return [...new Set(options.map(typeWords))].join(' or ')
  const types = [schema.type ?? []].flat()
  const [type] = types
  if (types.length > 1 && schema.pattern === undefined) return types.map(each => typeWords({ type: each })).join(' or ')
  if (type === 'array') {
    const words = new Set(itemsOf(schema).map(item => plural(typeWords(item))))
    return `list of ${[...words].join(' and ') || 'any type'}`
  }
  return WORDS[type ?? ''] ?? 'any'
}

function itemsOf({ items = [], additionalItems }: JsonSchema): JsonSchema[] {
  return [...[items].flat(), ...(additionalItems ? [additionalItems] : [])]
}

function plural(words: string): string {
  return PLURALS[words] ?? words
}

const PLURALS: Record<string, string> = {
  string: 'strings',
  number: 'numbers',
  mapping: 'mappings',
  check: 'checks',
  rubric: 'rubrics',
  message: 'messages',
  block: 'blocks',
  test: 'tests',
  boolean: 'booleans',
  integer: 'integers',
  'string or test': 'tests and paths',
}

const WORDS: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
  object: 'mapping',
}

function bounds({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const low = minimum === undefined ? (exclusiveMinimum === undefined ? '' : `> ${exclusiveMinimum}`) : `≥ ${minimum}`
  return [low, maximum === undefined ? '' : `≤ ${maximum}`].filter(part => part !== '').join(', ')
}
