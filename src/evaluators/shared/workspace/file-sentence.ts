import { regexProblem } from '../../../lib/patterns.ts'
import { type Count, countOf, describeRange, parseRange, rangeOf } from '../count-range.ts'
import { parseSchema, writeSchema } from '../json-schemas/written-schema.ts'
import { quote, unquote } from '../quoting.ts'
import { negateField, parseNegation, sentenceOf } from '../sentences.ts'
import type { ContentFields } from './content-conditions.ts'
import type { WantedFiles } from './file-grades.ts'

/** The fields of a check of files. */
export interface FileFields extends WantedFiles, ContentFields {
  readonly count?: Count | undefined
}

/** A word for one file, and for several. */
type Words = readonly [one: string, several: string]

const STATES: Readonly<Record<FileFields['state'], Words>> = {
  any: ['exists', 'exist'],
  created: ['was created', 'were created'],
  modified: ['was modified', 'were modified'],
  deleted: ['was deleted', 'were deleted'],
  absent: ['is absent', 'are absent'],
}

/** Writes a check of files as a sentence: `Exactly 2 files 'src/*.js' were created and contain 'x'`. */
export function writeFileSentence(fields: FileFields, negate: boolean): string {
  const { path, state, count } = fields
  const range = count === undefined ? undefined : describeRange(rangeOf(count))
  const form = formOf(range)
  const subject = range === undefined ? 'File' : `${upperFirst(range)} ${form === 0 ? 'file' : 'files'}`
  const content = writeContent(fields, form)
  const statement = `${subject} ${quote(path)} ${STATES[state][form]}${content === '' ? '' : ` and ${content}`}`
  return sentenceOf(statement, negate)
}

/** One file is meant without a number, or with exactly 1. */
function formOf(range: string | undefined): 0 | 1 {
  return range === undefined || range === 'exactly 1' ? 0 : 1
}

const CONTAINS: Words = ['contains', 'contain']
const MATCHES: Words = ['matches', 'match']
const EQUALS: Words = ['equals', 'equal']

function writeContent(fields: FileFields, form: 0 | 1): string {
  const { contains, regex, flags, equals, equals_file, json_schema } = fields
  if (contains !== undefined) return `${CONTAINS[form]} ${quote(contains)}`
  if (regex !== undefined) return `${MATCHES[form]} regex${flags ? ` with flags ${flags}` : ''}: ${quote(regex)}`
  if (equals !== undefined) return `${EQUALS[form]} ${quote(equals)}`
  if (equals_file !== undefined) return `${EQUALS[form]} the file ${quote(equals_file)}`
  return json_schema === undefined ? '' : `${MATCHES[form]} the schema ${writeSchema(json_schema)}`
}

const QUOTED = `'[^'\\\\]*(?:\\\\.[^'\\\\]*)*'`
const SENTENCE = new RegExp(
  `^(?:File|(Exactly \\d+|At least \\d+|At most \\d+|\\d+ to \\d+) files?) (${QUOTED}) (exists?|(?:was|were) (?:created|modified|deleted)|(?:is|are) absent)(?: and (.+))?$`,
  's',
)

/** Parses such a sentence; undefined for any other. */
export function parseFileSentence(sentence: string): Record<string, unknown> | undefined {
  const { said, negate } = parseNegation(sentence)
  const [, range, quoted = '', verb = '', written] = SENTENCE.exec(said) ?? []
  const path = unquote(quoted)
  const form = formOf(range && lowerFirst(range))
  const state = Object.entries(STATES).find(([, words]) => words[form] === verb)?.[0]
  const content = written === undefined ? {} : parseContent(written, form)
  if (path === undefined || path === '' || state === undefined || !content) return undefined
  const counted = range === undefined ? undefined : parseRange(lowerFirst(range))
  return {
    path,
    ...(state === 'any' ? {} : { state }),
    ...content,
    ...(counted === undefined ? {} : { count: countOf(counted) }),
    ...negateField(negate),
  }
}

function parseContent(text: string, form: 0 | 1): Record<string, unknown> | undefined {
  const fields = (key: string, value: unknown) => (value === undefined || value === '' ? undefined : { [key]: value })
  const after = (words: string) => (text.startsWith(`${words} `) ? text.slice(words.length + 1) : undefined)
  const schema = after(`${MATCHES[form]} the schema`)
  if (schema !== undefined) return fields('json_schema', parseSchema(schema))
  const [, flags, pattern = ''] =
    new RegExp(`^${MATCHES[form]} regex(?: with flags ([imsu]+))?: (.+)$`, 's').exec(text) ?? []
  const regex = unquote(pattern)
  if (regex) return regexProblem(regex, flags) === undefined ? { regex, ...(flags ? { flags } : {}) } : undefined
  const file = after(`${EQUALS[form]} the file`)
  if (file !== undefined) return fields('equals_file', unquote(file))
  const equals = unquote(after(EQUALS[form]) ?? '')
  if (equals !== undefined) return { equals }
  return fields('contains', unquote(after(CONTAINS[form]) ?? ''))
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
}
