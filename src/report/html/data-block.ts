import { safeJson } from '../../lib/printable.ts'

/** Data inside the page: nothing in it can end the element, begin a comment, or steer the terminal that it is printed to. */
export function dataBlock(id: string, data: unknown): string {
  const json = safeJson(JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, escaped))
  return `<script type="application/json" id="${id}">${json}</script>\n`
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
