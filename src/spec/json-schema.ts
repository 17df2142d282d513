import { spellingsOf } from '../evaluators/lookup.ts'
import { rubricSchema } from '../evaluators/shared/model-judges/rubric.ts'
import { visibleText } from '../lib/schema-rules.ts'
import { madeOf } from '../lib/schemas/deferred.ts'
import * as z from '../lib/zod.ts'
import type { Evaluator } from '../model/evaluator.ts'
import { evaluatorResultSchema } from '../model/evaluator-result.ts'
import { judgeInputSchema, judgeOutputSchema } from '../model/judge-protocol.ts'
import { blockSchema, messageSchema } from '../model/message.ts'
import { writtenAnswerSchema } from '../model/messages/written-answer.ts'
import type { Provider } from '../model/provider.ts'
import { resultSchema } from '../model/result.ts'
import { checkSchema, customCheckSchema } from './check.ts'
import { configSchema } from './config.ts'
import {
  acceptTemplates,
  editComposite,
  editCustomCheck,
  editSpellings,
  editSuite,
  editTest,
  type JsonSchema,
  testWithInput,
} from './json-schema-rules.ts'
import { suiteSchema } from './suite.ts'
import { customTargetSchema, extendingTargetSchema, providerSpellings, targetSchema, targetsSchema } from './targets.ts'
import { inputSchema, testSchema } from './test.ts'

/** Returns the JSON Schema of EVAL.yaml. */
export function evalJsonSchema(evaluators: readonly Evaluator[]): JsonSchema {
  const check: z.ZodType = z.lazy(() => checks)
  const builtIn = evaluators.map(evaluator => ({ evaluator, schema: checkSchema(evaluator, check) }))
  const rubric = visibleText().describe('A rubric.')
  const checks = z.union([rubric, ...builtIn.map(({ schema }) => schema), customCheckSchema()])
  const test = testSchema(check, { input: inputSchema() }).describe('A test.')
  const suite = suiteSchema(check, test).describe('A suite of tests for an AI agent.')

  const named = new Map<z.ZodType, string>([
    [check, 'check'],
    [test, 'test'],
    [rubricSchema(), 'rubric'],
    [messageSchema(), 'message'],
    [blockSchema(), 'block'],
    ...builtIn.map(({ evaluator, schema }): [z.ZodType, string] => [schema, `check_${evaluator.type}`]),
  ])
  const schema = generate('EVAL.yaml', suite, named, [
    [suite, editSuite],
    [test, editTest],
    [customCheckSchema(), json => editCustomCheck(json, evaluators)],
    ...builtIn.map(({ evaluator, schema }): Edit => [schema, json => editCheck(json, evaluator)]),
  ])
  const definitions = schema['definitions'] as Record<string, JsonSchema>
  return { ...schema, definitions: { ...definitions, test_with_input: testWithInput('#/definitions/test') } }
}

/** Returns the JSON Schema of targets.yaml. */
export function targetsJsonSchema(providers: readonly Provider[]): JsonSchema {
  const builtIn = providers.map(provider => ({ provider, schema: targetSchema(provider) }))
  const types = [...builtIn.map(({ schema }) => schema), customTargetSchema(), extendingTargetSchema()]
  const target = z.union(types).describe('A target.')
  const named = new Map(builtIn.map(({ provider, schema }): [z.ZodType, string] => [schema, `target_${provider.type}`]))
  const edits = builtIn.map(({ provider, schema }): Edit => {
    return [schema, json => editSpellings(json.properties?.['provider'], providerSpellings(provider))]
  })
  return generate('targets.yaml', targetsSchema(target), named, edits)
}

/** Returns the JSON Schema of config.yaml. */
export function configJsonSchema(): JsonSchema {
  return generate('config.yaml', configSchema(), new Map(), [])
}

/** Returns the JSON Schema of a line of results.jsonl. */
export function resultJsonSchema(): JsonSchema {
  return generate('results.jsonl', resultSchema(), new Map([[evaluatorResultSchema(), 'evaluator_result']]), [])
}

/** Returns the JSON Schema of an answer from a program or server. */
export function answerJsonSchema(): JsonSchema {
  return generate('answer of a program', writtenAnswerSchema(), new Map(), [])
}

/** Returns the JSON Schema of the stdin of a code judge. */
export function judgeInputJsonSchema(): JsonSchema {
  return generate('stdin of a code judge', judgeInputSchema(), new Map(), [])
}

/** Returns the JSON Schema of the stdout of a code judge. */
export function judgeOutputJsonSchema(): JsonSchema {
  return generate('stdout of a code judge', judgeOutputSchema(), new Map(), [])
}

function editCheck(json: JsonSchema, evaluator: Evaluator): void {
  editSpellings(json.properties?.['type'], spellingsOf(evaluator))
  acceptTemplates(json, evaluator.keys?.literal)
  if (evaluator.contains_checks) editComposite(json)
}

type Edit = [z.ZodType, (schema: JsonSchema) => void]

function generate(title: string, schema: z.ZodType, named: ReadonlyMap<z.ZodType, string>, edits: Edit[]): JsonSchema {
  const registry = z.registry<{ id: string }>()
  for (const [part, id] of named) registry.add(madeOf(part), { id })
  const editOf = new Map<z.core.$ZodType, Edit[1]>(edits.map(([part, edit]) => [madeOf(part), edit]))
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    metadata: registry,
    override: ({ zodSchema, jsonSchema }) => {
      const json = jsonSchema as JsonSchema
      Object.assign(json, z.globalRegistry.get(zodSchema))
      if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum']
      editOf.get(zodSchema)?.(json)
    },
  })
  return { $schema, title, ...rest } as JsonSchema
}
