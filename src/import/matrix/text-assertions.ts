import { isMapping } from '../../lib/objects.ts'
import { Diagnostics } from '../../parse/diagnostics.ts'
import { readDocument } from '../../parse/yaml/read-document.ts'
import { Source } from '../../parse/yaml/source.ts'
import type { Written } from '../written.ts'
import type { Assertion, AssertionContext, ConvertAssertion, ConvertedCheck } from './assertion-context.ts'
import { javascriptCheck } from './program-assertions.ts'

/** Assertions about the text of an answer and its figures, by type. */
export const TEXT_ASSERTIONS: Readonly<Record<string, ConvertAssertion>> = {
  equals: convertEquals,
  contains: withText('contains'),
  icontains: withText('icontains'),
  'starts-with': trimmed('starts_with'),
  'ends-with': trimmed('ends_with'),
  'contains-any': withTexts('contains_any'),
  'contains-all': withTexts('contains_all'),
  'icontains-any': withTexts('icontains_any'),
  'icontains-all': withTexts('icontains_all'),
  regex: withText('regex'),
  'is-json': (assertion, context) => jsonCheck(assertion, context),
  'contains-json': (assertion, context) => {
    context.notes.approximated(
      assertion.written.at,
      '`contains-json` → `is_json` with `allow_fenced`: JSON in the middle of a sentence is not found',
    )
    return jsonCheck(assertion, context, { allow_fenced: true })
  },
  'is-xml': () => ({ type: 'is_xml' }),
  'is-yaml': () => ({ type: 'is_yaml' }),
  cost: ({ threshold }) => (threshold === undefined ? undefined : { type: 'cost', budget: threshold }),
  latency: ({ threshold }) => (threshold === undefined ? undefined : { type: 'latency', threshold }),
  'word-count': convertWordCount,
  levenshtein: convertDistance,
  'rouge-n': metric({ type: 'rouge', variant: '1' }, 0.75),
  bleu: metric({ type: 'bleu' }, 0.5),
}

/** A text, a number or a boolean as text, with its variables filled in; undefined for anything else and for no text. */
function textValue({ value }: Assertion, { fill }: AssertionContext): string | undefined {
  const text = value?.text()
  return text === undefined || text === '' ? undefined : fill(text)
}

function withText(type: string): ConvertAssertion {
  return (assertion, context) => {
    const value = textValue(assertion, context)
    return value === undefined ? undefined : { type, value }
  }
}

function withTexts(type: string): ConvertAssertion {
  return ({ value }, { fill }) => {
    const texts = value && textsOf(value)
    return texts && texts.length > 0 ? { type, value: texts.map(fill) } : undefined
  }
}

/** The texts of a list, or of a text with commas between them; fields in double quotes may contain commas. */
function textsOf(value: Written): string[] {
  if (Array.isArray(value.value)) return value.items().flatMap(item => item.text() ?? [])
  const text = value.text() ?? ''
  const fields = text.matchAll(/\s*(?:"((?:[^"\\]|\\["\\]|"")*)"|([^",][^,]*))\s*(?:,|$)/g)
  return [...fields].flatMap(([, quoted, plain]) => {
    const field = quoted?.replace(/\\(["\\])|""/g, (_, escaped?: string) => escaped ?? '"') ?? plain?.trim() ?? ''
    return field === '' ? [] : [field]
  })
}

/** A structured value is compared as JSON. */
function convertEquals(assertion: Assertion, context: AssertionContext): ConvertedCheck {
  const { value } = assertion
  if (value && typeof value.value === 'object') {
    const code = `require('node:util').isDeepStrictEqual(JSON.parse(output), ${JSON.stringify(value.value)})`
    return javascriptCheck({ code }, context)
  }
  if (value?.value === '') return { type: 'regex', value: '^$' }
  return trimmed('equals')(assertion, context)
}

/** A check that ignores spaces around the answer. */
function trimmed(type: string): ConvertAssertion {
  return (assertion, context) => {
    const check = withText(type)(assertion, context)
    const message = `\`${type}\` ignores spaces around the answer, which promptfoo compares too`
    if (check) context.notes.remark(assertion.written.at, message)
    return check
  }
}

function jsonCheck({ value }: Assertion, { notes }: AssertionContext, fields = {}): ConvertedCheck {
  const written = value?.value
  const schema = typeof written === 'string' && written !== '' ? parseYaml(written) : written
  if (schema === undefined || schema === '') return { type: 'is_json', ...fields }
  if (isMapping(schema)) return { type: 'is_json', ...fields, schema }
  notes.leftOut((value as Written).at, 'a JSON Schema that is not a mapping; the check only asks for JSON')
  return { type: 'is_json', ...fields }
}

/** A schema that is written as a text of YAML or JSON; undefined if it is neither. */
function parseYaml(text: string): unknown {
  return readDocument(new Source('schema.yaml', text), new Diagnostics())?.value
}

function convertWordCount({ value }: Assertion): ConvertedCheck {
  const count = value?.number()
  if (count !== undefined) return { type: 'word_count', min: count, max: count }
  const min = value?.get('min')?.number()
  const max = value?.get('max')?.number()
  if (min === undefined && max === undefined) return undefined
  return { type: 'word_count', ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

/** The number of edits between the answer and a text, of which there may be a few. */
function convertDistance(assertion: Assertion, context: AssertionContext): ConvertedCheck {
  const value = assertion.value?.text()
  if (value === undefined) return undefined
  const code = `const wanted = ${JSON.stringify(value)}
let row = [...wanted, ''].map((_, index) => index)
for (const [line, letter] of [...output].entries()) {
  const next = [line + 1]
  for (const [index, other] of [...wanted].entries())
    next.push(Math.min(next[index] + 1, row[index + 1] + 1, row[index] + (letter === other ? 0 : 1)))
  row = next
}
return row.at(-1) <= ${assertion.threshold ?? 5}
`
  return javascriptCheck({ code: context.fill(code) }, context)
}

/** A metric that compares the answer with a text: its score counts, or whether it reaches a threshold. */
function metric(fields: { readonly type: string; readonly variant?: string }, threshold: number): ConvertAssertion {
  return (assertion, context) => {
    const value = textValue(assertion, context)
    if (value === undefined) return undefined
    return { ...fields, value, ...(context.isScored ? {} : { threshold: assertion.threshold ?? threshold }) }
  }
}
