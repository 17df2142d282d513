import { cutText } from './cut-text.ts'
import { exactJson } from './exact-json.ts'
import { isNestedWithin } from './is-nested-within.ts'
import { singleLine } from './single-line.ts'

const DEEPEST = 100

/** JSON as people write it on one line, `{"amount": 40}`; line breaks in its texts are shown as marks. */
export function jsonText(value: unknown, longest = 200): string {
  if (!isNestedWithin(value, DEEPEST)) return 'a deeply nested value'
  if (value === undefined) return 'nothing'
  const text = exactJson(value, { indent: 1, textOf: singleLine })
    .replace(/,\n\s*/g, ', ')
    .replace(/([{[])\n\s*/g, '$1')
    .replace(/\n\s*([}\]])/g, '$1')
  return cutText(text, longest)
}
