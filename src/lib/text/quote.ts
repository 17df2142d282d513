const LONGEST_CODE = 60

/** A text from a file inside a message: in backticks, on one line, not too long. */
export function quoteCode(text: unknown): string {
  return `\`${truncate(singleLine(String(text)), LONGEST_CODE)}\``
}

/** The longest that is shown of a text inside a message. */
const LONGEST_TEXT = 200

/** A text inside a message: in double quotes, on one line, not too long. */
export function quoteText(text: string): string {
  return `"${truncate(singleLine(text), LONGEST_TEXT)}"`
}

/** The beginning of a text that may be long, for a message. */
export function truncateForMessage(text: string): string {
  return truncate(text, 200)
}

/** The beginning of a text, with a mark where it was cut; never inside a character. */
export function truncate(text: string, longest: number): string {
  if (text.length <= longest) return text
  const code = text.charCodeAt(longest - 1)
  const splits = code >= 0xd800 && code <= 0xdbff
  return `${text.slice(0, splits ? longest - 1 : longest)}…`
}

/** The end of a text, with a mark where it was cut; never inside a character. */
export function truncateStart(text: string, longest: number): string {
  if (text.length <= longest) return text
  const start = text.length - longest
  const code = text.charCodeAt(start)
  const splits = code >= 0xdc00 && code <= 0xdfff
  return `…${text.slice(splits ? start + 1 : start)}`
}

const MARKS: Readonly<Record<string, string>> = { '\n': '↵', '\r': '␍', '\t': '␉' }

/** Text on one line: line breaks and tabs become visible marks. */
export function singleLine(text: string): string {
  return /[\n\r\t]/.test(text) ? text.replace(/[\n\r\t]/g, character => MARKS[character] ?? character) : text
}
