import { lazily } from '../../lib/lazily.ts'
import { visibleText, withHints } from '../../lib/schema-rules.ts'
import { quoteText } from '../../lib/text/quote.ts'
import * as z from '../../lib/zod.ts'
import type { Grade } from '../../model/grade.ts'
import { SUBJECT_HINTS, subjectField } from './subject.ts'

/** Text to look for. Numbers and booleans are taken as they are written in the file. */
export const textValue = lazily(() => z.union([z.string().min(1), z.number(), z.boolean()]).transform(String))

/** Text that is compared after trimming, so it must not be blank. */
const trimmedValue = lazily(() => z.union([visibleText(), z.number(), z.boolean()]).transform(String))

const textValues = lazily(() => z.array(textValue()).min(1))

/** Fields of checks for one text, or for several. */
export const oneText = lazily(() =>
  withHints(z.strictObject({ value: textValue().describe('The text.'), ...subjectField() }), SUBJECT_HINTS),
)
export const oneTrimmedText = lazily(() =>
  withHints(
    z.strictObject({
      value: trimmedValue().describe('The text; leading and trailing whitespace is ignored.'),
      ...subjectField(),
    }),
    SUBJECT_HINTS,
  ),
)
export const manyTexts = lazily(() =>
  withHints(z.strictObject({ value: textValues().describe('The texts.'), ...subjectField() }), SUBJECT_HINTS),
)

const THIRD_PERSON = {
  contain: 'contains',
  equal: 'equals',
  'start with': 'starts with',
  'end with': 'ends with',
  match: 'matches',
} as const

export type Verb = keyof typeof THIRD_PERSON

/** Grades 1 if the answer matches every text. */
export function allTexts(verb: Verb, texts: readonly string[], does: (text: string) => boolean): Grade {
  const { hits, misses } = sorted(verb, texts, does)
  if (misses.length > 0) return { score: 0, hits, misses }
  const all = texts.length > 1 ? 'all of ' : ''
  return {
    score: 1,
    hits,
    misses,
    negated_misses: [describeUnwanted(verb, `${all}${texts.map(quoteText).join(', ')}`)],
  }
}

/** Grades 1 if the answer matches at least one text. */
export function anyText(verb: Verb, texts: readonly string[], does: (text: string) => boolean): Grade {
  const { hits, misses, found } = sorted(verb, texts, does)
  const negated_misses = found.map(text => describeUnwanted(verb, quoteText(text)))
  return { score: hits.length > 0 ? 1 : 0, hits, misses, negated_misses }
}

/** `must not contain "x", but does`. */
export function describeUnwanted(verb: Verb, what: string): string {
  return `must not ${verb} ${what}, but does`
}

function sorted(verb: Verb, texts: readonly string[], does: (text: string) => boolean) {
  const found: string[] = []
  const misses: string[] = []
  for (const text of texts) {
    if (does(text)) found.push(text)
    else misses.push(`does not ${verb} ${quoteText(text)}`)
  }
  return { found, hits: found.map(text => `${THIRD_PERSON[verb]} ${quoteText(text)}`), misses }
}
