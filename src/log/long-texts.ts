import type { Node, ScalarNode } from 'js-yaml'
import { unicodeEscape } from '../lib/text/unicode.ts'

/** Longer texts are written by us: the regular expressions of js-yaml fail on texts of several megabytes. */
const LONGEST = 100_000

/** Replaces long texts of a tree with placeholders, and inserts them into the YAML that was written. */
export class LongTexts {
  readonly #texts: string[] = []

  takeOutOf(node: Node): Node {
    if (node.kind === 'scalar') return isLong(node) ? this.#placeOf(node.value) : node
    if (node.kind === 'sequence') return { ...node, items: node.items.map(item => this.takeOutOf(item)) }
    if (node.kind === 'alias') return node
    return { ...node, items: node.items.map(({ key, value }) => ({ key, value: this.takeOutOf(value) })) }
  }

  /** Returns a placeholder. YAML never contains its NUL characters otherwise. */
  #placeOf(text: string): Node {
    this.#texts.push(text)
    return { kind: 'alias', anchor: `\0${this.#texts.length - 1}\0` }
  }

  putInto(yaml: string): string {
    return yaml.replace(/\*\0(\d+)\0/g, (_, index) => quoted(this.#texts[Number(index)] ?? ''))
  }
}

function isLong({ value, tag, tagged }: ScalarNode): boolean {
  return value.length > LONGEST && tag === 'tag:yaml.org,2002:str' && !tagged
}

/** Quotes a text as JSON, which is valid YAML, and escapes the characters that YAML does not allow. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, unicodeEscape)
}
