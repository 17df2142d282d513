import { isMapping } from '../lib/is-mapping.ts'

/** The content of a message in whatever form it came: texts as they are, a blank line between; anything else as JSON. */
export function contentText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content)
  return content
    .map(block => (isMapping(block) ? (block['text'] ?? block['value']) : block))
    .filter(text => text !== undefined)
    .map(asText)
    .join('\n\n')
}

/** A text as it is, anything else as JSON. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
