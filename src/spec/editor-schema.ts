import { spellingsOf } from '../evaluators/lookup.ts'
import type { Evaluator } from '../model/evaluator.ts'
import { evalJsonSchema } from './json-schema.ts'
import type { JsonSchema } from './json-schema-rules.ts'

const UNKNOWN =
  'Unknown type: it was neither built in nor a judge of this project when `assay init` wrote this schema. Run `assay init` again after adding a judge.'

/**
 * Returns the JSON Schema of EVAL.yaml for editors. It accepts the same files, and makes editors warn about an unknown
 * `type` through `deprecationMessage`, which validators ignore.
 */
export function editorEvalSchema(evaluators: readonly Evaluator[], judges: readonly string[]): JsonSchema {
  const schema = evalJsonSchema(evaluators)
  const definitions = schema['definitions'] as Record<string, JsonSchema>
  const [rubric, ...checks] = (definitions['check']?.['anyOf'] ?? []) as JsonSchema[]
  const custom = checks.at(-1)
  if (!rubric || !custom) return schema
  const own = judges.flatMap(name => [name, name.replaceAll('_', '-')])
  const builtIn = evaluators.flatMap(spellingsOf)
  const offered = [...new Set([...evaluators.map(({ type }) => type), ...judges])]
  const check: JsonSchema = {
    type: 'object',
    required: ['type'],
    properties: {
      type: {
        description: 'Type of the check: an evaluator, or a judge in `.assay/judges`.',
        anyOf: [{ enum: offered }, custom.properties?.['type'] ?? {}, { pattern: `^(${builtIn.join('|')})$` }],
      },
    },
    allOf: [
      ...evaluators.map(evaluator => when(spellingsOf(evaluator), { $ref: `#/definitions/check_${evaluator.type}` })),
      when(builtIn, {}, custom),
      when([...builtIn, ...own], {}, { properties: { type: { deprecationMessage: UNKNOWN } } }),
    ],
  }
  definitions['check'] = { ...definitions['check'], anyOf: [rubric, check] }
  return schema
}

/** Builds a condition on the type of a check. */
function when(types: readonly string[], itHolds: JsonSchema, otherwise?: JsonSchema): JsonSchema {
  const isOne = { properties: { type: { enum: [...new Set(types)] } } }
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  return { if: isOne, then: itHolds, ...(otherwise ? { else: otherwise } : {}) }
}
