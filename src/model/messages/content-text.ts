import { isMapping } from '../../lib/objects.ts'
import { LARGEST_ANSWER_BYTES } from '../answer-limits.ts'

/** The content of a message in whatever form it came: texts as they are, a blank line between; anything else as JSON. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  return content
    .map(block => (isMapping(block) ? (block['text'] ?? block['value']) : block))
    .filter(text => text !== undefined)
    .map(asText)
    .join('\n\n')
}

/** A text as it is, anything else as JSON: indented, unless that makes it larger than an answer may be. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (indentedJson(value) ?? JSON.stringify(value))
}

/** Indentation may multiply the length of nested values, beyond what a string can hold. */
function indentedJson(value: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(value, null, 2)
    return text !== undefined && text.length <= LARGEST_ANSWER_BYTES ? text : undefined
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return undefined
  }
}
