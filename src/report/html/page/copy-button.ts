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
