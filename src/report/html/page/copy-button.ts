import { wellFormed } from '../../../lib/text/unicode.ts'
import { el } from './element.ts'

/** Copies a text; says so for those who do not see it too. */
export function copyButton(text: string, what: string): HTMLElement {
  const said = el('span', { class: 'said', role: 'status' })
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => said.replaceChildren('copied'),
      () => said.replaceChildren('cannot copy here'),
    )
  return el(
    'span',
    { class: 'copy' },
    el('button', { type: 'button', class: 'small', 'aria-label': `Copy ${what}`, click: copy }, 'Copy'),
    said,
  )
}

/**
 * Where something is written. Paths start at the root of the run; where the report lies on a disk nobody knows the way
 * from it to there, so that only a page from a server links.
 */
export function sourceLocation(file: string, line: number): HTMLElement {
  const text = `${file}:${line}`
  const isNear = !/^([/\\]|[a-z]:)/i.test(file) && location.protocol.startsWith('http')
  const href = `./${wellFormed(file).split('/').map(encodeURIComponent).join('/')}#L${line}`
  const shown = el('code', {}, text)
  return el('span', { class: 'place' }, isNear ? el('a', { href }, shown) : shown, copyButton(text, text))
}
