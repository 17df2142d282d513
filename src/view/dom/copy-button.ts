import { wellFormed } from '../../lib/text/unicode.ts'
import { el } from './element.ts'

/** A button that copies a text and announces it to screen readers. */
export function copyButton(text: string, what: string): HTMLElement {
  const status = el('span', { class: 'said', role: 'status' })
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => status.replaceChildren('copied'),
      () => status.replaceChildren('copying is not available'),
    )
  return el(
    'span',
    { class: 'copy' },
    el('button', { type: 'button', class: 'small', 'aria-label': `Copy ${what}`, click: copy }, 'Copy'),
    status,
  )
}

/** A source location. Paths are relative to the root of the run, so only a page from a server can link to them. */
export function sourceLocation(file: string, line: number): HTMLElement {
  const text = `${file}:${line}`
  const isNear = !/^([/\\]|[a-z]:)/i.test(file) && location.protocol.startsWith('http')
  const href = `./${wellFormed(file).split('/').map(encodeURIComponent).join('/')}#L${line}`
  const code = el('code', {}, text)
  return el('span', { class: 'place' }, isNear ? el('a', { href }, code) : code, copyButton(text, text))
}
