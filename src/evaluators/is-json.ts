import { withHints } from '../lib/schema-rules.ts'
import * as z from '../lib/zod.ts'
import type { GradeContext } from '../model/evaluator.ts'
import type { Grade } from '../model/grade.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { fencedBlocks } from './shared/json-in-text.ts'
import {
  type ParsedJson,
  parseSchema,
  parseWithReason,
  schemaIssues,
  schemaMisses,
  writeSchema,
  writtenSchema,
} from './shared/json-schemas/written-schema.ts'
import { textProbes } from './shared/probes.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'
import { gradeSubject, SUBJECT_HINTS, subjectField, subjectNeeds, withName } from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'

const config = () =>
  withHints(
    z.strictObject({
      schema: writtenSchema().optional().describe('A JSON Schema, inline or as the path of a JSON file.'),
      allow_fenced: z.boolean().default(false).describe('Also accept JSON in a single fenced block.'),
      ...subjectField(),
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
  keys: { literal: ['schema'] },
  examples: [
    { title: 'Any JSON', check: { type: 'is_json' } },
    {
      title: 'An object with a name',
      check: { type: 'is_json', schema: { type: 'object', required: ['name'] }, allow_fenced: true },
    },
  ],
  files: ({ schema }) => (typeof schema === 'string' ? [{ value: schema, at: ['schema'], need: 'text' }] : []),
  validate: {
    check: async ({ schema }, files) => (schema === undefined ? [] : schemaIssues(schema, 'schema', files)),
  },
  needs: subjectNeeds,
  probing: { probes: ({ schema, subject }) => textProbes(['{}', '[]', '"a"', '0'], subject, schema === undefined) },
  sentences: withSubject<Config>({
    write: ({ config: { schema, allow_fenced }, negate }) => {
      const more = [
        ...(allow_fenced ? [FENCED] : []),
        ...(schema === undefined ? [] : [`${MATCHING} ${writeSchema(schema)}`]),
      ]
      if (more.length === 0) return [negate ? NOT_VALID : VALID]
      return [sentenceOf(`${VALID}: ${more.join(', ')}`, negate)]
    },
    parse: sentence => {
      if (sentence === NOT_VALID) return { negate: true }
      const { said, negate } = parseNegation(sentence)
      const [, fenced, matching] = SAID.exec(said) ?? []
      if (said !== VALID && fenced === undefined && matching === undefined) return undefined
      const schema = matching === undefined ? undefined : parseSchema(matching)
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
  const { schema } = config
  const checked = { config, schema: schema ?? {}, what: name ?? 'the answer' }
  const problems = schema === undefined ? [] : await schemaMisses(json.text, checked, context)
  if (problems.length > 0) {
    const misses = name === undefined ? problems : problems.map(problem => `${name}: ${problem}`)
    return { ...withName({ score: 0, hits: valid, misses: [] }, name), misses }
  }
  const matches = schema === undefined ? [] : ['matches the schema']
  return withName({ score: 1, hits: [...valid, ...matches], misses: [] }, name)
}

function fenceHint(text: string, { allow_fenced }: Config): string {
  const isFenced = !allow_fenced && fencedBlocks(text).length === 1
  return isFenced ? ' (it is in a fenced block; allow that with `allow_fenced: true`)' : ''
}

function parseAnswer(text: string, allowFenced: boolean): ParsedJson {
  const whole = parseWithReason(text.trim())
  if ('value' in whole || !allowFenced) return whole
  const [block, ...others] = fencedBlocks(text)
  if (block === undefined) return whole
  return others.length === 0
    ? parseWithReason(block.trim())
    : { offset: 0, reason: 'it has more than one fenced block' }
}

type Config = z.output<ReturnType<typeof config>>
