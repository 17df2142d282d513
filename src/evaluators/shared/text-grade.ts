import { quoteText } from '../../lib/text/quote.ts'
import type { Grade } from '../../model/grade.ts'

const THIRD_PERSON = {
  contain: 'contains',
  equal: 'equals',
  'start with': 'starts with',
  'end with': 'ends with',
  match: 'matches',
} as const

type Verb = keyof typeof THIRD_PERSON

/** 1 when the answer does it for every text. */
export function allTexts(verb: Verb, texts: readonly string[], does: (text: string) => boolean): Grade {
  const { hits, misses } = sorted(verb, texts, does)
  if (misses.length > 0) return { score: 0, hits, misses }
  const all = texts.length > 1 ? 'all of ' : ''
  return { score: 1, hits, misses, negated_misses: [unwanted(verb, `${all}${texts.map(quoteText).join(', ')}`)] }
}

/** 1 when the answer does it for at least one text. */
export function anyText(verb: Verb, texts: readonly string[], does: (text: string) => boolean): Grade {
  const { hits, misses, found } = sorted(verb, texts, does)
  const negated_misses = found.map(text => unwanted(verb, quoteText(text)))
  return { score: hits.length > 0 ? 1 : 0, hits, misses, negated_misses }
}

/** Text in which upper and lower case are the same, wherever a letter stands: a lower sigma depends on it, an upper one does not. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

/** `must not contain "x", but does`. */
export function unwanted(verb: Verb, what: string): string {
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
