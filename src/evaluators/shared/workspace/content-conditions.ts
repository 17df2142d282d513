import { sha256 } from '../../../lib/sha256.ts'
import { textDifference } from '../../../lib/text/diff.ts'
import { quoteCode, quoteText, singleLine } from '../../../lib/text/quote.ts'
import type { GradeContext } from '../../../model/evaluator.ts'
import { Unjudged } from '../../../model/grade.ts'
import { parseWithReason, schemaMisses, type WrittenSchema } from '../json-schemas/written-schema.ts'
import { matchesPattern } from '../unjudged.ts'
import { LARGEST_FILE_BYTES } from './file-content.ts'

/** What the content of a file is compared with. At most one of the fields is given. */
export interface ContentFields {
  readonly contains?: string | undefined
  readonly regex?: string | undefined
  readonly flags?: string | undefined
  readonly equals?: string | undefined
  readonly equals_file?: string | undefined
  readonly json_schema?: WrittenSchema | undefined
}

/** A condition on the content of files. */
export interface ContentCondition {
  /** `contains "x"`. */
  readonly words: string
  /** The hashes of all contents that satisfy it, if these are few. */
  readonly hashes?: ReadonlySet<string>
  /** Returns why a content does not satisfy it, after the name of the file; undefined if it does. */
  problem(bytes: Uint8Array, name: string): string | undefined | Promise<string | undefined>
}

/** Returns the condition of a check; undefined if it has none. */
export async function contentCondition(
  config: ContentFields,
  context: GradeContext,
): Promise<ContentCondition | undefined> {
  const { contains, regex, flags = '', equals, equals_file, json_schema } = config
  if (contains !== undefined) return containing(contains)
  if (regex !== undefined) return matching(regex, flags, context)
  if (equals !== undefined) return equalTo(equals)
  if (equals_file !== undefined) return equalToFile(equals_file, context)
  return json_schema === undefined ? undefined : satisfying(json_schema, config, context)
}

function containing(text: string): ContentCondition {
  return {
    words: `contains ${quoteText(text)}`,
    problem: (bytes, name) => {
      const content = decode(bytes)
      return content.includes(text) ? undefined : `${name} does not contain ${quoteText(text)}${found(content)}`
    },
  }
}

function matching(regex: string, flags: string, { host }: GradeContext): ContentCondition {
  const pattern = `/${singleLine(regex)}/${flags}`
  return {
    words: `matches ${pattern}`,
    problem: (bytes, name) => {
      const content = decode(bytes)
      return matchesPattern(regex, flags, content, host)
        ? undefined
        : `${name} does not match ${pattern}${found(content)}`
    },
  }
}

function found(content: string): string {
  return content === '' ? '; it is empty' : `; it is ${quoteText(content)}`
}

/** Compares texts, ignoring a line break at their end. */
export function equalTexts(a: string, b: string): boolean {
  return withoutFinalBreak(a) === withoutFinalBreak(b)
}

function withoutFinalBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

function equalTo(expected: string): ContentCondition {
  const text = withoutFinalBreak(expected)
  return {
    words: `equals ${quoteText(expected)}`,
    hashes: new Set(['', '\n', '\r\n'].map(end => sha256(`${text}${end}`))),
    problem: (bytes, name) => {
      const content = decode(bytes)
      return equalTexts(content, expected) ? undefined : textDifference(withoutFinalBreak(content), text, name)
    },
  }
}

async function equalToFile(path: string, { files, host }: GradeContext): Promise<ContentCondition> {
  const expected = await readExpected(files.get(path)?.path ?? path, host)
  const hash = sha256(expected)
  return {
    words: `equals the file ${quoteCode(path)}`,
    hashes: new Set([hash]),
    problem: (bytes, name) => {
      if (sha256(bytes) === hash) return undefined
      const [content, text] = [decode(bytes), decode(expected)]
      if (content === text || `${content}${text}`.includes('\0'))
        return `${name} differs from ${quoteCode(path)}: it has ${bytes.length} bytes, expected ${expected.length}`
      return `${textDifference(content, text, name)} (${quoteCode(path)})`
    },
  }
}

async function readExpected(path: string, host: GradeContext['host']): Promise<Uint8Array> {
  const bytes = await host.files.read(path, LARGEST_FILE_BYTES + 1).catch(error => {
    throw error.code === 'ENOENT' ? new Unjudged('file-missing', `${path} no longer exists`) : error
  })
  if (bytes.length <= LARGEST_FILE_BYTES) return bytes
  throw new Unjudged('file-too-large', `${path} is larger than ${LARGEST_FILE_BYTES / 1e6} MB and cannot be compared`)
}

function satisfying(schema: WrittenSchema, config: object, context: GradeContext): ContentCondition {
  return {
    words: 'matches the JSON Schema',
    problem: async (bytes, name) => {
      const json = parseWithReason(decode(bytes).trim())
      if (!('value' in json)) return `${name} is not valid JSON: ${json.reason}`
      const misses = await schemaMisses(json.text, { config, schema, what: name }, context)
      return misses.length === 0 ? undefined : `${name} does not match the JSON Schema: ${misses.join('; ')}`
    },
  }
}

/** Decodes UTF-8; other bytes become replacement characters, so that the rest can still be searched. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
