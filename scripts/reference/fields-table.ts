export type JsonSchema = {
  type?: string
  $ref?: string
  description?: string
  default?: unknown
  enum?: unknown[]
  const?: unknown
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  /** A list of them is a list whose first items are known one by one; `additionalItems` are the rest. */
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

/** The fields of an object as a table, and a table for each field that holds further fields. */
export function fieldsTables(schema: JsonSchema, leaveOut: readonly string[] = []): string {
  const inner = Object.entries(schema.properties ?? {})
    .filter(([name]) => !leaveOut.includes(name))
    .flatMap(([name, field]) => objectsIn(field).map(object => `Fields of \`${name}\`:\n\n${fieldsTable(object)}`))
  return [fieldsTable(schema, leaveOut), ...inner].join('\n\n')
}

/** The mappings with known fields that a field may hold, itself or in a list. */
function objectsIn(schema: JsonSchema): JsonSchema[] {
  if (schema.properties) return [schema]
  const inside = [...(schema.anyOf ?? []), ...itemsOf(schema)]
  return inside.flatMap(objectsIn)
}

/** A table of the fields of an object. */
export function fieldsTable(schema: JsonSchema, leaveOut: readonly string[] = []): string {
  const rows = Object.entries(schema.properties ?? {})
    .filter(([name, field]) => !leaveOut.includes(name) && !field.deprecated)
    .map(([name, field]) => row(name, field, schema.required?.includes(name) ?? false))
  return ['| field | what it is | |', '|---|---|---|', ...rows].join('\n')
}

function row(name: string, field: JsonSchema, required: boolean): string {
  const notes = [
    required ? 'required' : '',
    field.default === undefined ? '' : `default: \`${JSON.stringify(field.default)}\``,
    bounds(field),
  ].filter(note => note !== '')
  const cells = [`\`${name}\``, `${typeWords(field)}. ${field.description ?? ''}`, notes.join('; ')]
  return `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

/** The type of a field in words. */
function typeWords(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.replace('#/definitions/', '').replace(/^check_.*/, 'check')
  if (schema.enum) return schema.enum.map(value => `\`${value}\``).join(' | ')
  if (schema.const !== undefined) return `\`${schema.const}\``
  const options = schema.anyOf?.filter(option => option.type ?? option.$ref ?? option.anyOf ?? option.oneOf)
  if (options && options.length > 0 && !schema.type) return [...new Set(options.map(typeWords))].join(', or ')
  if (schema.type === 'array') {
    const words = new Set(itemsOf(schema).map(item => plural(typeWords(item))))
    return `list of ${[...words].join(' and ') || 'anything'}`
  }
  return WORDS[schema.type ?? ''] ?? 'anything'
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
  'string, or test': 'tests and paths',
}

const WORDS: Record<string, string> = {
  string: 'string',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'mapping',
}

function bounds({ minimum, exclusiveMinimum, maximum }: JsonSchema): string {
  const low =
    minimum === undefined ? (exclusiveMinimum === undefined ? '' : `above ${exclusiveMinimum}`) : `from ${minimum}`
  return [low, maximum === undefined ? '' : `up to ${maximum}`].filter(part => part !== '').join(' ')
}
