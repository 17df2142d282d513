import { wellFormed } from '../../../../lib/well-formed.ts'
import { copyButton } from '../copy-button.ts'
import { el } from '../element.ts'

/**
 * Where something is written. Paths start at the root of the run; where the report lies on a disk nobody knows the way
 * from it to there, so that only a page from a server links.
 */
export function placeOf(file: string, line: number): HTMLElement {
  const text = `${file}:${line}`
  const isNear = !/^([/\\]|[a-z]:)/i.test(file) && location.protocol.startsWith('http')
  const href = `./${wellFormed(file).split('/').map(encodeURIComponent).join('/')}#L${line}`
  const shown = el('code', {}, text)
  return el('span', { class: 'place' }, isNear ? el('a', { href }, shown) : shown, copyButton(text, text))
}
