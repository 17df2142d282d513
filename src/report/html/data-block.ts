import { ORDER_IN_A_LINE } from '../../lib/printable.ts'
import { unicodeEscape } from '../../lib/unicode-escape.ts'

/** Data inside the page: nothing in it can end the element, begin a comment, or steer the terminal that it is printed to. */
export function dataBlock(id: string, data: unknown): string {
  const json = JSON.stringify(data).replace(UNSAFE, unicodeEscape).replace(ORDER_IN_A_LINE, unicodeEscape)
  return `<script type="application/json" id="${id}">${json}</script>\n`
}

const UNSAFE = /[<>&\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g
