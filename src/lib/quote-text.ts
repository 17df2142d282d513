import { cutText } from './cut-text.ts'
import { singleLine } from './single-line.ts'

/** The longest that is shown of a text inside a message. */
const LONGEST = 200

/** A text inside a message: in double quotes, on one line, not too long. */
export function quoteText(text: string): string {
  return `"${cutText(singleLine(text), LONGEST)}"`
}
