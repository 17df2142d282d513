import { isMapping } from '../../lib/objects.ts'
import { LARGEST_ANSWER_BYTES } from '../answer-limits.ts'

/** A content in any form as text: texts separated by blank lines, other values as JSON. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  return content
    .map(block => (isMapping(block) ? (block['text'] ?? block['value']) : block))
    .filter(text => text !== undefined)
    .map(asText)
    .join('\n\n')
}

/** A string unchanged, any other value as JSON: indented, unless that exceeds the maximum size of an answer. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (indentedJson(value) ?? JSON.stringify(value))
}

/** Indented JSON; undefined if it is too long for an answer or a string. */
function indentedJson(value: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(value, null, 2)
    return text !== undefined && text.length <= LARGEST_ANSWER_BYTES ? text : undefined
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}
