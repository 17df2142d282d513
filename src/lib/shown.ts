import { cutText } from './cut-text.ts'
import { singleLine } from './single-line.ts'

const LONGEST = 60

/** A text from a file inside a message: in backticks, on one line, not too long. */
export function shown(text: unknown): string {
  return `\`${cutText(singleLine(String(text)), LONGEST)}\``
}
