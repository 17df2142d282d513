import { cutText } from './cut-text.ts'

const LONGEST = 60

/** A text from a file inside a message: in backticks, on one line, not too long. */
export function shown(text: unknown): string {
  const line = String(text).replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
  return `\`${cutText(line, LONGEST)}\``
}
