import { cutText } from '../../../../lib/cut-text.ts'
import { el, refill } from '../element.ts'
import { numberText } from '../number-text.ts'

/** What is drawn before somebody asks for more: a megabyte takes a browser seconds. */
const FIRST = 8_000

/** A text as it is; a very long one in two steps. */
export function longText(text: string): HTMLElement {
  if (text.length <= FIRST) return el('pre', {}, text)
  const pre = el('pre', {}, cutText(text, FIRST))
  const button = el(
    'button',
    { type: 'button', click: showAll },
    `Show all ${numberText.count(text.length)} characters`,
  )
  function showAll(): void {
    refill(pre, text)
    button.remove()
  }
  return el('div', {}, pre, button)
}
