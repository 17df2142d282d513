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
import { EXIT, type ExitCode } from './exit-codes.ts'
import { terminal } from './terminal/terminal.ts'

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

/** `assay schema`: the JSON Schema of suites, of targets files, of configurations, of answers, of results, or of what code judges read and print. */
export function schema(name: keyof typeof schemas): ExitCode {
  terminal.out(schemas[name]())
  return EXIT.ok
}

/** A JSON Schema as the text of its file. */
export function schemaText(schema: object): string {
  return `${JSON.stringify(schema, null, 2)}\n`
}
