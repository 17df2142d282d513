import { spellingsOf } from '../evaluators/lookup.ts'
import { lazily } from '../lib/lazily.ts'
import { checkFields } from '../model/check.ts'
import type { Evaluator } from '../model/evaluator.ts'
import { MARK_KEYS } from '../model/mark.ts'
import { CHECK_LIST_KEYS } from './check.ts'
import { FOREIGN_SUITE_KEYS, FOREIGN_TEST_KEYS, type ForeignKey } from './foreign-keys.ts'

export type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>
  patternProperties?: Record<string, JsonSchema>
  required?: string[]
  allOf?: JsonSchema[]
}

/** Adds the rules between keys, which the loader checks in code, to the JSON Schema. */
export function editSuite(schema: JsonSchema): void {
  addForeignKeys(schema, FOREIGN_SUITE_KEYS)
  atMostOne(schema, CHECK_LIST_KEYS)
  atMostOne(schema, TESTS)
  schema.allOf?.push({
    if: { not: { required: ['variants'] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: Object.fromEntries(TESTS.map(key => [key, { items: WITH_INPUT }])) },
  })
  offerOnly('assert', schema)
  editExecution(schema.properties?.['execution'])
}

const TESTS = ['tests', 'eval_cases', 'evalcases']
const INPUTS = ['input', 'input_messages']

/** A test, or a path: tests have an input, except in suites with variants. */
const WITH_INPUT = { anyOf: [{ not: { type: 'object' } }, ...INPUTS.map(key => ({ required: [key] }))] }

/** Schema of a test that is not in the suite itself. */
export function testWithInput(ref: string): JsonSchema {
  return { description: 'A test with an input.', allOf: [{ $ref: ref }, WITH_INPUT] }
}

export function editTest(schema: JsonSchema): void {
  const { properties = {} } = schema
  properties['expected_output'] = {
    if: { type: 'array', minItems: 1, items: { type: 'object', required: ['role'] } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { type: 'array', items: { $ref: '#/definitions/message' } },
    ...properties['expected_output'],
  }
  addForeignKeys(schema, FOREIGN_TEST_KEYS)
  schema.required = ['id']
  atMostOne(schema, CHECK_LIST_KEYS)
  for (const [key, { kind, ...foreign }] of FOREIGN_TEST_KEYS) {
    if (kind === 'renamed' && 'to' in foreign) atMostOne(schema, [key, foreign.to])
  }
  schema.allOf?.push({
    if: { required: ['input_files'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: Object.fromEntries(INPUTS.map(key => [key, { type: 'string', minLength: 1 }])) },
  })
  offerOnly('assert', schema)
  editExecution(properties['execution'])
}

/** Accepts all spellings of a name, of which editors offer only the first. */
export function editSpellings(schema: JsonSchema | undefined, [offered = '', ...others]: readonly string[]): void {
  if (!schema || others.length === 0) return
  delete schema['enum']
  delete schema['type']
  // A pattern validates like an enum, but editors do not offer its values.
  schema['anyOf'] = [
    { type: 'string', const: offered },
    { type: 'string', pattern: `^(${others.join('|')})$` },
  ]
}

/** Prevents custom judges from using the name of a built-in type. */
export function editCustomCheck(schema: JsonSchema, evaluators: readonly Evaluator[]): void {
  const builtIn = evaluators.filter(({ yields_to_files }) => !yields_to_files)
  Object.assign(schema.properties?.['type'] ?? {}, { not: { enum: builtIn.flatMap(spellingsOf) } })
}

/** Accepts a variable in place of a number, a list or a mapping: its value is known only with the test. */
export function acceptTemplates({ properties = {} }: JsonSchema, literal: readonly string[] = []): void {
  for (const [key, property] of Object.entries(properties)) {
    if (literal.includes(key) || fieldNames().includes(key) || !OTHER_TYPES.includes(String(property['type']))) continue
    Object.assign(property, { type: [property['type'], 'string'], pattern: TEMPLATE })
  }
}

const OTHER_TYPES = ['number', 'integer', 'boolean', 'array', 'object']
const fieldNames = lazily(() => ['judges', ...Object.keys(checkFields()), ...CHECK_LIST_KEYS])
const TEMPLATE = '^\\{\\{[^{}]*\\}\\}$'

/** Accepts nested checks under each of the three keys. */
export function editComposite(schema: JsonSchema): void {
  const { properties = {} } = schema
  for (const key of CHECK_LIST_KEYS)
    properties[key] ??= { ...properties['evaluators'], description: 'Alias of `evaluators`.' }
  schema.required = schema.required?.filter(key => key !== 'evaluators') ?? []
  schema['oneOf'] = CHECK_LIST_KEYS.map(key => ({ required: [key] }))
  offerOnly('evaluators', schema)
}

function editExecution(schema: JsonSchema | undefined): void {
  if (!schema) return
  atMostOne(schema, CHECK_LIST_KEYS)
  atMostOne(schema, ['target', 'targets'])
  atMostOne(schema, MARK_KEYS)
  offerOnly('assert', schema)
}

/** Accepts every key of a list of checks, of which editors offer only one. */
function offerOnly(offered: (typeof CHECK_LIST_KEYS)[number], schema: JsonSchema): void {
  for (const key of CHECK_LIST_KEYS) {
    const property = schema.properties?.[key]
    if (key === offered || !property) continue
    delete schema.properties?.[key]
    accept(key, property, schema)
  }
}

/** Accepts a key that editors do not offer: completion ignores patterns. */
function accept(key: string, property: JsonSchema, schema: JsonSchema): void {
  schema.patternProperties = { ...schema.patternProperties, [`^${key}$`]: property }
}

function addForeignKeys(schema: JsonSchema, keys: ReadonlyMap<string, ForeignKey>): void {
  const { properties = {} } = schema
  for (const [key, foreign] of keys) {
    if (foreign.kind === 'renamed') {
      const description = `Alias of \`${foreign.to}\`, from another version of the format.`
      accept(key, { ...properties[foreign.to], description, deprecated: true }, schema)
    }
    if (foreign.kind === 'describes')
      accept(key, { description: 'Ignored here: write it in `metadata`.', deprecated: true }, schema)
  }
  accept('x-.*', { description: 'Your own data.' }, schema)
}

function atMostOne(schema: JsonSchema, keys: readonly string[]): void {
  schema.allOf ??= []
  for (const [index, key] of keys.entries()) {
    for (const other of keys.slice(index + 1)) schema.allOf.push({ not: { required: [key, other] } })
  }
}
