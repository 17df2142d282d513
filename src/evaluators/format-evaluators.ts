import { loadAll } from 'js-yaml'
import { withHints } from '../lib/schema-rules.ts'
import { LineIndex } from '../lib/text/line-index.ts'
import { findXmlProblem } from '../lib/xml.ts'
import * as z from '../lib/zod.ts'
import type { Evaluator } from '../model/evaluator.ts'
import type { Grade } from '../model/grade.ts'
import { defineEvaluator } from './define-evaluator.ts'
import { fencedBlocks } from './shared/json-in-text.ts'
import { textProbes } from './shared/probes.ts'
import { negateField, parseNegation, sentenceOf } from './shared/sentences.ts'
import { gradeSubject, SUBJECT_HINTS, subjectField, subjectNeeds, withName } from './shared/subject.ts'
import { withSubject } from './shared/subject-sentences.ts'

const config = () =>
  withHints(
    z.strictObject({
      allow_fenced: z.boolean().default(false).describe('Also accept it in a single fenced block.'),
      ...subjectField(),
    }),
    SUBJECT_HINTS,
  )

type Config = z.output<ReturnType<typeof config>>

/** A format that an answer can be in. */
interface TextFormat {
  readonly type: string
  readonly name: string
  readonly summary: string
  readonly note: string
  readonly example: string
  /** Why a text is not in this format; undefined if it is. */
  problem(text: string): string | undefined
}

const FORMATS: readonly TextFormat[] = [
  {
    type: 'is_yaml',
    name: 'YAML',
    summary: 'The answer is YAML: a mapping or a list.',
    note: 'YAML 1.2, one document, without duplicate keys. Any line of text is a YAML string, so that only a mapping or a list counts. JSON is YAML too.',
    example: 'A configuration',
    problem: yamlProblem,
  },
  {
    type: 'is_xml',
    name: 'XML',
    summary: 'The answer is well-formed XML.',
    note: 'Well-formed XML 1.0: one root element, matching tags, quoted attributes, known entities. It is not validated against a schema, and nothing is loaded. Entities other than the five of XML, and declarations inside of a document type, are not accepted.',
    example: 'A sitemap',
    problem: xmlProblem,
  },
]

/** The checks of whether an answer is in a format. */
export const formatEvaluators: readonly Evaluator[] = FORMATS.map(formatEvaluator)

function formatEvaluator({ type, name, summary, note, example, problem }: TextFormat): Evaluator {
  const said = `Output is well-formed ${name}`
  const FENCED = `${said}, also in a fenced block`
  return defineEvaluator({
    type,
    summary,
    notes: [note],
    config,
    yields_to_files: true,
    examples: [
      { title: example, check: { type } },
      { title: 'Also in a fenced block', check: { type, allow_fenced: true } },
    ],
    needs: subjectNeeds,
    probing: { probes: ({ subject }) => textProbes(['a: 1', '<a/>', 'a: : b', '<a>'], subject) },
    sentences: withSubject<Config>({
      write: ({ config: { allow_fenced }, negate }) => [sentenceOf(allow_fenced ? FENCED : said, negate)],
      parse: sentence => {
        const { said: words, negate } = parseNegation(sentence)
        if (words !== said && words !== FENCED) return undefined
        return { ...(words === FENCED ? { allow_fenced: true } : {}), ...negateField(negate) }
      },
    }),
    grade: ({ subject, allow_fenced }, of, context) =>
      gradeSubject(subject, of, context, {
        findsParts: false,
        grade: (text, what) => withName(gradeFormat(text, allow_fenced, name, problem), what),
      }),
  }) as Evaluator
}

function gradeFormat(text: string, allowFenced: boolean, name: string, problem: TextFormat['problem']): Grade {
  const blocks = fencedBlocks(text)
  const [block = ''] = blocks
  const isFenced = blocks.length === 1 && text.trim().startsWith(text.trim().charAt(0) === '~' ? '~~~' : '```')
  const reason = problem((allowFenced && isFenced ? block : text).trim())
  if (reason === undefined) return { score: 1, hits: [`is well-formed ${name}`], misses: [] }
  const hint = isFenced && !allowFenced ? ' (it is in a fenced block; allow that with `allow_fenced: true`)' : ''
  return { score: 0, hits: [], misses: [`is not well-formed ${name}: ${reason}${hint}`] }
}

function yamlProblem(text: string): string | undefined {
  let documents: unknown[]
  try {
    documents = loadAll(text, { maxAliases: MOST_ALIASES }) as unknown[]
  } catch (error) {
    return (error as { reason?: string }).reason ?? 'it cannot be parsed'
  }
  if (documents.length > 1) return 'more than one document'
  const [value] = documents
  return typeof value === 'object' && value !== null ? undefined : 'it is plain text, not a mapping or a list'
}

const MOST_ALIASES = 1000

function xmlProblem(text: string): string | undefined {
  const found = findXmlProblem(text)
  if (!found) return undefined
  const { line, column } = new LineIndex(text).position(found.offset)
  return `${found.problem}, in line ${line}, column ${column}`
}
