const LONGEST_CODE = 60

/** Quotes a value from a file in a message: in backticks, on one line, truncated. */
export function quoteCode(text: unknown): string {
  return `\`${truncate(singleLine(String(text)), LONGEST_CODE)}\``
}

/** The longest excerpt of a text in a message. */
const LONGEST_TEXT = 200

/** Quotes a text in a message: in double quotes, on one line, truncated. */
export function quoteText(text: string): string {
  return `"${truncate(singleLine(text), LONGEST_TEXT)}"`
}

/** Truncates a long text for a message. */
export function truncateForMessage(text: string): string {
  return truncate(text, 200)
}

/** Cuts off the end of a long text and marks the cut with `…`; never splits a surrogate pair. */
export function truncate(text: string, longest: number): string {
  if (text.length <= longest) return text
  const code = text.charCodeAt(longest - 1)
  const splits = code >= 0xd800 && code <= 0xdbff
  return `${text.slice(0, splits ? longest - 1 : longest)}…`
}

/** Cuts off the beginning of a long text and marks the cut with `…`; never splits a surrogate pair. */
export function truncateStart(text: string, longest: number): string {
  if (text.length <= longest) return text
  const start = text.length - longest
  const code = text.charCodeAt(start)
  const splits = code >= 0xdc00 && code <= 0xdfff
  return `…${text.slice(splits ? start + 1 : start)}`
}

/** By code, so that the page of the HTML report has no tab in it. */
const MARKS: ReadonlyMap<number, string> = new Map([
  [10, '↵'],
  [13, '␍'],
  [9, '␉'],
])

/** Replaces line breaks and tabs by visible marks. */
export function singleLine(text: string): string {
  return /[\n\r\t]/.test(text)
    ? text.replace(/[\n\r\t]/g, character => MARKS.get(character.charCodeAt(0)) ?? character)
    : text
}

/** A word of a command for a POSIX shell, quoted if it has to be. */
export function shellWord(word: string): string {
  return /^[\w./=:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
