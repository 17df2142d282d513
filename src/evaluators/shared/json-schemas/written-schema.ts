import { findJsonError, parseJson } from '../../../lib/json/parse-json.ts'
import { locateInJson } from '../../../lib/json/path.ts'
import { lazily } from '../../../lib/lazily.ts'
import { isMapping } from '../../../lib/objects.ts'
import * as z from '../../../lib/zod.ts'
import type { CheckFiles } from '../../../model/check.ts'
import type { GradeContext } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import type { Issue } from '../../../model/issue.ts'
import { quote, unquote } from '../quoting.ts'
import { matchesPattern } from '../unjudged.ts'
import { jsonSchemaProblems } from './schema-problems.ts'
import type { SchemaProblem } from './subschemas.ts'
import { type SchemaValidator, schemaValidator } from './validator.ts'

/** A JSON Schema in a check: inline, or the path of a JSON file. */
export const writtenSchema = lazily(() => z.union([z.string().min(1), z.record(z.string(), z.unknown())]))

export type WrittenSchema = z.output<ReturnType<typeof writtenSchema>>

/** Reports problems of the schema under a key of a check. */
export async function schemaIssues(schema: WrittenSchema, key: string, files: CheckFiles): Promise<Issue[]> {
  const bad = ({ path, message, ...more }: SchemaProblem): Issue => {
    return { code: 'bad-json-schema', path: [key, ...path], message: `invalid JSON Schema: ${message}`, ...more }
  }
  if (typeof schema !== 'string') return (await jsonSchemaProblems(schema)).map(bad)
  const file = files.get(schema)
  if (file?.text === undefined) return []
  const { path: name, text } = file
  const parsed = parseWithReason(text)
  if (!('value' in parsed)) {
    const inFile = { file: name, offset: parsed.offset, length: 1 }
    return [{ ...bad({ path: [], message: `it is not JSON: ${parsed.reason}` }), inFile }]
  }
  const problems = await jsonSchemaProblems(parsed.value)
  return problems.map(problem => ({
    ...bad(problem),
    inFile: { file: name, ...locateInJson(text, problem.path, problem.part) },
  }))
}

/** One validator per check, created for the first text. */
const validators = new WeakMap<object, Promise<SchemaValidator>>()

/** Compares a JSON text with the schema of a check, and describes what is wrong; `what` names the text in an error. */
export async function schemaMisses(
  json: string,
  { config, schema, what }: { readonly config: object; readonly schema: WrittenSchema; readonly what: string },
  { files, host }: GradeContext,
): Promise<string[]> {
  let validator = validators.get(config)
  if (!validator) {
    const matches = (pattern: string, flags: string, text: string) => matchesPattern(pattern, flags, text, host)
    validator = schemaValidator(
      typeof schema === 'string' ? JSON.parse(files.get(schema)?.text ?? '') : schema,
      matches,
    )
    validators.set(config, validator)
  }
  const validate = await validator
  try {
    return validate(json)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new Unjudged('too-deep', `${what} is nested too deeply to be validated`)
  }
}

/** A JSON value with its text, or where and why a text is not JSON. */
export type ParsedJson =
  | { readonly value: unknown; readonly text: string }
  | { readonly offset: number; readonly reason: string }

export function parseWithReason(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text), text }
  } catch {
    return findJsonError(text)
  }
}

/** Writes a schema in a sentence, so that it can be parsed. */
export function writeSchema(schema: WrittenSchema): string {
  return typeof schema === 'string' ? quote(schema) : JSON.stringify(schema)
}

/** Parses the schema in a sentence; undefined if it cannot be one. */
export function parseSchema(text: string): WrittenSchema | undefined {
  const path = unquote(text)
  if (path !== undefined) return path
  const value = parseJson(text)
  if (!isMapping(value)) return undefined
  const { type = [], required = [] } = value
  const isTyped = [type].flat().every(each => typeof each === 'string')
  return isTyped && Array.isArray(required) ? value : undefined
}
