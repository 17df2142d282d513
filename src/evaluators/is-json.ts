import * as z from 'zod'
import { findJsonError, parseJson } from '../lib/json/parse-json.ts'
import { locateInJson } from '../lib/json/path.ts'
import { isMapping } from '../lib/objects.ts'
import { withHints } from '../lib/schema-rules.ts'
import type { CheckFiles } from '../model/check.ts'
import type { GradeContext } from '../model/evaluator.ts'
import { type Grade, Unjudged } from '../model/grade.ts'
import type { Issue } from '../model/issue.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { fencedBlocks } from './shared/json-in-text.ts'
import { jsonSchemaProblems } from './shared/json-schemas/schema-problems.ts'
import type { SchemaProblem } from './shared/json-schemas/subschemas.ts'
import { type SchemaValidator, schemaValidator } from './shared/json-schemas/validator.ts'
import { quote, unquote } from './shared/quoting.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'
import { gradeSubject, SUBJECT_HINTS, subjectField, subjectNeeds, withName } from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'
import { matchesPattern } from './shared/unjudged.ts'

const config = withHints(
  z.strictObject({
    schema: z
      .union([z.string().min(1), z.record(z.string(), z.unknown())])
      .optional()
      .describe('A JSON Schema, inline or as the path of a JSON file.'),
    allow_fenced: z.boolean().default(false).describe('Also accept JSON in a single fenced block.'),
    ...subjectField,
  }),
  SUBJECT_HINTS,
)

const VALID = 'Output is valid JSON'
const NOT_VALID = 'Output is not valid JSON'
const FENCED = 'also in a fenced block'
const MATCHING = 'matching the schema'
const SAID = new RegExp(`^${VALID}: (?:(${FENCED})(?:, |$))?(?:${MATCHING} (.+))?$`, 's')

export const isJson = defineEvaluator({
  type: 'is_json',
  summary: 'The answer is JSON and, if you give a schema, valid under it.',
  notes: [
    'A schema is read as JSON Schema 2020-12, or as the dialect in its `$schema`: draft-07, 2019-09 or 2020-12. Unknown keywords and formats, keywords without effect (`then` without `if`) and references to other documents are reported before the run. Begin your own annotations with `x-`; `title`, `description`, `default`, `examples`, `contentEncoding`, `contentMediaType` and `contentSchema` are annotations too.',
    '`format` is checked: `date`, `time`, `date-time`, `duration`, `email`, `hostname`, `ipv4`, `ipv6`, `uri`, `uri-reference`, `uri-template`, `url`, `uuid`, `regex`, `json-pointer`, `relative-json-pointer`, and those of OpenAPI (`int32`, `int64`, `byte`; `float`, `double`, `password` and `binary` are annotations). Patterns use the flag `u`. `multipleOf` uses decimal arithmetic: 19.99 is a multiple of 0.01. Inherited properties do not count: `{}` has no `constructor`. A comparison that needs the exact value of an integer beyond 2^53 is an error.',
  ],
  config,
  examples: [
    { title: 'Any JSON', check: { type: 'is_json' } },
    {
      title: 'An object with a name',
      check: { type: 'is_json', schema: { type: 'object', required: ['name'] }, allow_fenced: true },
    },
  ],
  files: ({ schema }) => (typeof schema === 'string' ? [{ value: schema, at: ['schema'], need: 'text' }] : []),
  validate: {
    check: async ({ schema }, files) => {
      if (typeof schema === 'string') return issuesOfFile(schema, files)
      return schema === undefined ? [] : (await jsonSchemaProblems(schema)).map(bad)
    },
  },
  needs: subjectNeeds,
  sentences: withSubject<Config>({
    write: ({ config: { schema, allow_fenced }, negate }) => {
      const more = [
        ...(allow_fenced ? [FENCED] : []),
        ...(schema === undefined
          ? []
          : [`${MATCHING} ${typeof schema === 'string' ? quote(schema) : JSON.stringify(schema)}`]),
      ]
      if (more.length === 0) return [negate ? NOT_VALID : VALID]
      return [sentenceOf(`${VALID}: ${more.join(', ')}`, negate)]
    },
    parse: sentence => {
      if (sentence === NOT_VALID) return { negate: true }
      const { said, negate } = parseNegation(sentence)
      const [, fenced, matching] = SAID.exec(said) ?? []
      if (said !== VALID && fenced === undefined && matching === undefined) return undefined
      const schema = matching === undefined ? undefined : (unquote(matching) ?? parseSchema(matching))
      if (matching !== undefined && schema === undefined) return undefined
      return {
        ...(schema === undefined ? {} : { schema }),
        ...(fenced === undefined ? {} : { allow_fenced: true }),
        ...negateField(negate),
      }
    },
  }),
  grade: (config, of, context) =>
    gradeSubject(config.subject, of, context, {
      findsParts: false,
      grade: async (text, name) => gradeJson(text, name, config, context),
    }),
})

async function gradeJson(
  text: string,
  name: string | undefined,
  config: Config,
  context: GradeContext,
): Promise<Grade> {
  const json = parseAnswer(text, config.allow_fenced)
  if (!('value' in json)) {
    const miss = `is not valid JSON: ${json.reason}${fenceHint(text, config)}`
    return withName({ score: 0, hits: [], misses: [miss] }, name)
  }
  const valid = ['is valid JSON']
  const problems = config.schema === undefined ? [] : await schemaMisses(json.text, config, context)
  if (problems.length > 0) {
    const misses = name === undefined ? problems : problems.map(problem => `${name}: ${problem}`)
    return { ...withName({ score: 0, hits: valid, misses: [] }, name), misses }
  }
  const matches = config.schema === undefined ? [] : ['matches the schema']
  return withName({ score: 1, hits: [...valid, ...matches], misses: [] }, name)
}

function fenceHint(text: string, { allow_fenced }: Config): string {
  const isFenced = !allow_fenced && fencedBlocks(text).length === 1
  return isFenced ? ' (it is in a fenced block; allow that with `allow_fenced: true`)' : ''
}

function parseAnswer(text: string, allowFenced: boolean): Parsed {
  const whole = parse(text.trim())
  if ('value' in whole || !allowFenced) return whole
  const [block, ...others] = fencedBlocks(text)
  if (block === undefined) return whole
  return others.length === 0 ? parse(block.trim()) : { offset: 0, reason: 'it has more than one fenced block' }
}

type Config = z.output<typeof config>

/** One validator per check, created for the first answer. */
const validators = new WeakMap<Config, Promise<SchemaValidator>>()

async function schemaMisses(json: string, config: Config, { files, host }: GradeContext): Promise<string[]> {
  let validator = validators.get(config)
  if (!validator) {
    const { schema } = config
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
    throw new Unjudged('too-deep', 'the answer is nested too deeply to be validated')
  }
}

async function issuesOfFile(path: string, files: CheckFiles): Promise<Issue[]> {
  const file = files.get(path)
  if (file?.text === undefined) return []
  const { path: name, text } = file
  const parsed = parse(text)
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

type Parsed = { value: unknown; text: string } | { offset: number; reason: string }

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text), text }
  } catch {
    return findJsonError(text)
  }
}

function bad({ path, message, ...more }: SchemaProblem): Issue {
  return { code: 'bad-json-schema', path: ['schema', ...path], message: `invalid JSON Schema: ${message}`, ...more }
}

/** Parses the schema in a sentence; undefined if it cannot be one. */
function parseSchema(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text)
  if (!isMapping(value)) return undefined
  const { type = [], required = [] } = value
  const isTyped = [type].flat().every(each => typeof each === 'string')
  return isTyped && Array.isArray(required) ? value : undefined
}
