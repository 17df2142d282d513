import type { Grade } from '../../model/grade.ts'
import { quoted } from './sentences/quoted.ts'

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
  return { score: misses.length === 0 ? 1 : 0, hits, misses }
}

/** 1 when the answer does it for at least one text. */
export function anyText(verb: Verb, texts: readonly string[], does: (text: string) => boolean): Grade {
  const { hits, misses } = sorted(verb, texts, does)
  return { score: hits.length > 0 ? 1 : 0, hits, misses }
}

/** Text in which upper and lower case are the same, wherever a letter stands: a lower sigma depends on it, an upper one does not. */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase()
}

function sorted(verb: Verb, texts: readonly string[], does: (text: string) => boolean) {
  const hits: string[] = []
  const misses: string[] = []
  for (const text of texts) {
    if (does(text)) hits.push(`${THIRD_PERSON[verb]} ${quoted(text)}`)
    else misses.push(`does not ${verb} ${quoted(text)}`)
  }
  return { hits, misses }
}
