import { printable } from '../../lib/text/escape.ts'
import { truncate } from '../../lib/text/quote.ts'
import { format } from '../parts/format.ts'

type Child = Node | string | number | false | undefined | null

interface Attributes {
  readonly [name: string]: string | number | boolean | undefined | ((event: Event) => void)
}

/** Creates an HTML element. Strings become text nodes with invisible characters made visible. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), attributes, children)
}

/** Creates an SVG element. */
export function svg(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children) as SVGElement
}

/** Replaces the children of an element. */
export function refill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren(...nodesOf(children))
}

function filled<Made extends Element>(element: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value))
  }
  element.append(...nodesOf(children))
  return element
}

function nodesOf(children: readonly Child[]): Node[] {
  return children.flatMap(child => {
    if (child === undefined || child === null || child === false) return []
    return child instanceof Node ? [child] : [document.createTextNode(printable(String(child)))]
  })
}

/** Characters shown initially: a browser takes seconds for a megabyte. */
const FIRST_CHARACTERS = 8_000

/** Shows a text; the rest of a very long one on click. */
export function longText(text: string): HTMLElement {
  if (text.length <= FIRST_CHARACTERS) return el('pre', {}, text)
  const pre = el('pre', {}, truncate(text, FIRST_CHARACTERS))
  const button = el('button', { type: 'button', click: showAll }, `Show all ${format.count(text.length)} characters`)
  function showAll(): void {
    refill(pre, text)
    button.remove()
  }
  return el('div', {}, pre, button)
}
