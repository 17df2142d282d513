import { isMapping } from '../../../../lib/is-mapping.ts'
import { asText } from '../../../../model/content-text.ts'
import { el } from '../element.ts'
import { longText } from './long-text.ts'

/** A message of the input, in whatever form it is recorded. */
export function messageBlock(message: unknown): HTMLElement {
  if (!isMapping(message)) return longText(asText(message))
  const { role, content, tool_calls } = message
  const blocks = Array.isArray(content) ? content : content === undefined ? [] : [content]
  return el(
    'div',
    { class: 'message' },
    el('p', { class: 'role' }, asText(role ?? '')),
    ...blocks.map(contentBlock),
    tool_calls !== undefined && longText(asText(tool_calls)),
  )
}

/** Pictures that stand in the records are shown; nothing is fetched, and drawings with code in them are not drawn. */
const PICTURE = /^data:image\/(png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]+$/

function contentBlock(block: unknown): Node {
  if (!isMapping(block)) return longText(asText(block))
  const { type, value, sha256 } = block
  const text = asText(value ?? block['text'] ?? block)
  if (type === 'image' && PICTURE.test(text)) return el('img', { src: text, alt: 'An image of the input' })
  if (type !== 'file' && type !== 'image') return longText(text)
  return el(
    'p',
    { class: 'file' },
    el('code', {}, text),
    typeof sha256 === 'string' && el('span', { class: 'faint' }, ` ${sha256.slice(0, 8)}`),
  )
}
