import { lazily } from '../lazily.ts'

/** Scripts without spaces between words: each of their characters counts as a word. */
const SINGLE =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}'
const LETTER = `(?:(?![${SINGLE}])[\\p{L}\\p{N}]\\p{M}*)`
const wordPattern = lazily(() => new RegExp(`${LETTER}+(?:['’]${LETTER}+)*|[${SINGLE}]\\p{M}*`, 'gu'))

/** Splits a text into words in lower case: letters and digits, with apostrophes inside of a word. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(wordPattern()) ?? []
}
