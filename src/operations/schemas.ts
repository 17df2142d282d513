import { evaluators } from '../evaluators/index.ts'
import { providers } from '../providers/index.ts'
import {
  answerJsonSchema,
  configJsonSchema,
  evalJsonSchema,
  judgeInputJsonSchema,
  judgeOutputJsonSchema,
  resultJsonSchema,
  targetsJsonSchema,
} from '../spec/json-schema.ts'

/** The JSON Schemas as text, by name. */
export const schemas = {
  eval: () => schemaText(evalJsonSchema(evaluators)),
  targets: () => schemaText(targetsJsonSchema(providers)),
  config: () => schemaText(configJsonSchema()),
  answer: () => schemaText(answerJsonSchema()),
  result: () => schemaText(resultJsonSchema()),
  'judge-input': () => schemaText(judgeInputJsonSchema()),
  'judge-output': () => schemaText(judgeOutputJsonSchema()),
}

export type SchemaName = keyof typeof schemas

/** A JSON Schema as the text of its file. */
export function schemaText(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`
}
