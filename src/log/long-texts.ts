import { type Node, SCALAR_STYLE } from 'js-yaml'
import { sha256 } from '../lib/sha256.ts'

/** More characters in one text are more than the writer of YAML can look at: its patterns run out of stack. */
const LONGEST = 500_000

/** Texts that are too long for the writer of YAML: names stand for them while it writes. */
export class LongTexts {
  readonly #texts = new Map<string, string>()

  /** A copy with names in place of long texts. */
  takenOutOf(node: Node, depth = 0): Node {
    const copy = (part: Node) => this.takenOutOf(part, depth + 1)
    if (node.kind === 'sequence') return { ...node, items: node.items.map(copy) }
    if (node.kind === 'mapping')
      return { ...node, items: node.items.map(({ key, value }) => ({ key, value: copy(value) })) }
    if (node.kind === 'alias' || node.value.length <= LONGEST) return node
    const isBlock = node.style === SCALAR_STYLE.LITERAL_BLOCK && depth === 1 && isPlainBlock(node.value)
    // Nobody can write a text in which its own hash stands.
    const name = `long-text-${sha256(node.value)}-${isBlock ? 1 : 0}`
    this.#texts.set(name, isBlock ? block(node.value) : quoted(node.value))
    return { ...node, value: name, style: SCALAR_STYLE.PLAIN }
  }

  putInto(text: string): string {
    if (this.#texts.size === 0) return text
    return text.replace(/long-text-[0-9a-f]{64}-[01]/g, name => this.#texts.get(name) ?? name)
  }
}

/** Lines that can stand in a block as they are. */
function isPlainBlock(text: string): boolean {
  return /^[!-~]/.test(text) && /[!-~]\n$/.test(text.slice(-2)) && !/[^ -~\n]/.test(text)
}

/** A block below the root. */
function block(text: string): string {
  return `|\n  ${text.slice(0, -1).replaceAll('\n', '\n  ')}`
}

/** JSON is YAML, but for what YAML does not let stand as it is. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
