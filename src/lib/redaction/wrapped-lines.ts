/** A line break, plain or escaped in JSON, the mark of a diff line, and the blanks after it; and such a mark at the end of one. */
interface LineBreaks {
  readonly pattern: RegExp
  readonly endsWithMark: RegExp
}

/** Backslashes before an escaped letter: JSON in JSON doubles them. More would fill the stack of the pattern. */
const ESCAPE = String.raw`\\{1,1000}`

function breaksWith(mark: string, isOptional: boolean): LineBreaks {
  const pattern = String.raw`(?:\r?\n|\r|(?<!\\)(?:${ESCAPE}r)?${ESCAPE}n)(?:${mark})${isOptional ? '?' : ''}[ \t>]*`
  return { pattern: new RegExp(pattern, 'g'), endsWithMark: new RegExp(`${mark}[ \\t>]*$`) }
}

const PLAIN = breaksWith('[+-] ', true)

/** Unified diffs have no space after the mark. */
export const IN_DIFFS = breaksWith('[+-]', false)

/** Words of fewer letters are not the beginning of an encoded text. */
const SHORTEST_WORD = 4

/** Which of the first 128 characters are letters of keys and encoded texts. */
const LETTERS = Array.from({ length: 128 }, (_, code) => /[\w+/=.%~-]/.test(String.fromCharCode(code)))

/** Consecutive lines without spaces: words and the breaks between them alternate. */
interface WrappedText {
  readonly start: number
  readonly parts: readonly string[]
}

/** Replaces matches in words that are wrapped over several lines, as encoders do, together with the line breaks. */
export function replaceInLines(
  text: string,
  pattern: RegExp,
  replacement: (found: string) => string,
  breaks: LineBreaks = PLAIN,
): string {
  let result = ''
  let end = 0
  for (const { start, parts } of wrappedTexts(text, breaks)) {
    const joined = parts.filter((_, index) => index % 2 === 0).join('')
    const offsetOf = offsetIn(parts)
    for (const { 0: match, index } of joined.matchAll(pattern)) {
      result += text.slice(end, start + offsetOf(index)) + replacement(match)
      end = start + offsetOf(index + match.length - 1) + 1
    }
  }
  return result + text.slice(end)
}

/** Finds wrapped texts from break to break: a pattern would run out of stack in a word of some megabytes. */
function* wrappedTexts(text: string, { pattern, endsWithMark }: LineBreaks): Generator<WrappedText> {
  let begun: { readonly start: number; readonly parts: string[] } | undefined
  // The end of the last break.
  let last = 0
  for (const found of text.matchAll(pattern)) {
    const wordEnd = skipBack(text, found.index, last, isBlank)
    const wordStart = skipBack(text, wordEnd, last, isLetter)
    const next = found.index + found[0].length
    const word = text.slice(wordStart, wordEnd)
    const lineBreak = text.slice(wordEnd, next)
    // An empty word only in an empty line of a diff: a blank line ends a text.
    const continues = word !== '' || endsWithMark.test(begun?.parts.at(-1) ?? '')
    if (begun && wordStart === last && continues) begun.parts.push(word, lineBreak)
    else {
      if (begun) yield* ended(begun, text, last)
      begun = word.length >= SHORTEST_WORD ? { start: wordStart, parts: [word, lineBreak] } : undefined
    }
    last = next
  }
  if (begun) yield* ended(begun, text, last)
}

/** Adds the word after the last break, without which the break is not part of the text. */
function* ended({ start, parts }: WrappedText, text: string, last: number): Generator<WrappedText> {
  let end = last
  while (isLetter(text, end)) end++
  if (end > last) yield { start, parts: [...parts, text.slice(last, end)] }
  else if (parts.length > 2) yield { start, parts: parts.slice(0, -1) }
}

function skipBack(text: string, from: number, first: number, skips: (text: string, at: number) => boolean): number {
  let at = from
  while (at > first && skips(text, at - 1)) at--
  return at
}

function isLetter(text: string, at: number): boolean {
  return LETTERS[text.charCodeAt(at)] === true
}

function isBlank(text: string, at: number): boolean {
  return text[at] === ' ' || text[at] === '\t'
}

/** Returns the offset in the lines of a letter of the joined words. Offsets are asked for in ascending order. */
function offsetIn(parts: readonly string[]): (letter: number) => number {
  let [part, letters, offset] = [0, 0, 0]
  return letter => {
    for (
      let word = parts[part] ?? '';
      letter >= letters + word.length && part + 2 < parts.length;
      word = parts[part] ?? ''
    ) {
      letters += word.length
      offset += word.length + (parts[part + 1] ?? '').length
      part += 2
    }
    return offset + letter - letters
  }
}
