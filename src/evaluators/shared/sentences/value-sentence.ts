import { singleLine } from '../../../lib/single-line.ts'
import type { Check } from '../../../model/check.ts'
import { escaped, quoted, quotedList, unescaped, unquoted, unquotedList } from './quoted.ts'

/** How a value stands in a sentence, and how it is read there. */
interface Form<Value> {
  write(value: Value): string
  /** The same for people: line breaks are marks. */
  show(value: Value): string
  read(text: string): Value | undefined
}

const inQuotes = (value: string) => `'${singleLine(value)}'`

export const QUOTED: Form<string> = { write: quoted, show: inQuotes, read: unquoted }
export const QUOTED_LIST: Form<string[]> = {
  write: quotedList,
  show: values => values.map(inQuotes).join(', '),
  read: unquotedList,
}
export const PLAIN: Form<string> = { write: escaped, show: singleLine, read: unescaped }

/** The sentence of a check that is about one value, and the way back. */
export function valueSentence<Value>(says: string, denies: string, { write, show, read }: Form<Value>) {
  return {
    sentence: ({ config, negate }: Check<{ readonly value: Value }>) => [
      `${negate ? denies : says} ${write(config.value)}`,
    ],
    words: ({ config, negate }: Check<{ readonly value: Value }>) => [
      `${negate ? denies : says} ${show(config.value)}`,
    ],
    fromSentence: (sentence: string) => {
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
