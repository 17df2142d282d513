import { singleLine } from '../../lib/text/quote.ts'
import { NEGATION, negateSentence } from '../../model/check.ts'
import type { CheckInWords } from '../../model/evaluator.ts'
import { escapeText, quote, quoteList, unescapeText, unquote, unquoteList } from './quoting.ts'

/** How a value is written in a sentence, and parsed from it. */
interface Form<Value> {
  write(value: Value): string
  /** The same for people, with line breaks as marks. */
  show(value: Value): string
  read(text: string): Value | undefined
}

const inQuotes = (value: string) => `'${singleLine(value)}'`

export const QUOTED: Form<string> = { write: quote, show: inQuotes, read: unquote }
export const QUOTED_LIST: Form<string[]> = {
  write: quoteList,
  show: values => values.map(inQuotes).join(', '),
  read: unquoteList,
}
export const PLAIN: Form<string> = { write: escapeText, show: singleLine, read: unescapeText }

type Valued<Value> = Pick<CheckInWords<{ readonly value: Value }>, 'config' | 'negate'>

/** The sentences of a check with one value. */
export function valueSentence<Value>(says: string, denies: string, { write, show, read }: Form<Value>) {
  return {
    write: ({ config, negate }: Valued<Value>) => [`${negate ? denies : says} ${write(config.value)}`],
    show: ({ config, negate }: Valued<Value>) => [`${negate ? denies : says} ${show(config.value)}`],
    parse: (sentence: string) => {
      for (const [words, negate] of [
        [says, {}],
        [denies, { negate: true }],
      ] as const) {
        const value = sentence.startsWith(`${words} `) ? read(sentence.slice(words.length + 1)) : undefined
        if (value !== undefined) return { value, ...negate }
      }
      return undefined
    },
  }
}

/** A sentence, negated if the check is. */
export function sentenceOf(sentence: string, negate: boolean): string {
  return negate ? negateSentence(sentence) : sentence
}

/** Splits a sentence into its statement and whether it is negated. */
export function parseNegation(sentence: string): { readonly said: string; readonly negate: boolean } {
  const negate = sentence.startsWith(NEGATION)
  return { said: negate ? sentence.slice(NEGATION.length) : sentence, negate }
}

/** The field `negate` of a negated check. */
export function negateField(negate: boolean): { readonly negate?: true } {
  return negate ? { negate } : {}
}
