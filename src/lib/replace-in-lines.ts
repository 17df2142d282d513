/** A line break with what may be around it, also as JSON writes it inside of texts, and the mark of a line in a diff. */
const BREAK = String.raw`[ \t]*(?:\r?\n|\r|(?:\\+r)?\\+n)(?:[+-] )?[ \t>]*`

const LETTERS = String.raw`[\w+/=.%~-]`

/** Lines without blanks that follow each other. Begins only where a word begins, so that the search stays linear. */
const LINES = new RegExp(`(?<!${LETTERS})${LETTERS}{4,}(?:${BREAK}${LETTERS}+)+`, 'g')

const BREAKS = new RegExp(`(${BREAK})`)

/** Replaces what a pattern finds in words that are wrapped over several lines, as encoders wrap them, with its line breaks. */
export function replaceInLines(text: string, pattern: RegExp, replacement: (found: string) => string): string {
  return text.replace(LINES, lines => {
    // Words and breaks by turns.
    const parts = lines.split(BREAKS)
    const joined = parts.filter((_, index) => index % 2 === 0).join('')
    const found = [...joined.matchAll(pattern)]
    if (found.length === 0) return lines
    const offsets = offsetsOf(parts)
    let [result, end] = ['', 0]
    for (const { 0: match, index } of found) {
      result += lines.slice(end, offsets[index]) + replacement(match)
      end = (offsets[index + match.length - 1] ?? lines.length) + 1
    }
    return result + lines.slice(end)
  })
}

/** Where each letter of the words is in the lines. */
function offsetsOf(parts: readonly string[]): number[] {
  const offsets: number[] = []
  let start = 0
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) for (let at = 0; at < part.length; at++) offsets.push(start + at)
    start += part.length
  }
  return offsets
}
