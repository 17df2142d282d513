import type { Node, ScalarNode } from 'js-yaml'
import { unicodeEscape } from '../lib/text/unicode.ts'

/** The patterns with which the writer of YAML looks at a text fail where it is some megabytes long. */
const LONGEST = 100_000

/** Long texts are taken out of a tree before it is written, and put into what was written. */
export class LongTexts {
  readonly #texts: string[] = []

  takeOutOf(node: Node): Node {
    if (node.kind === 'scalar') return isLong(node) ? this.#placeOf(node.value) : node
    if (node.kind === 'sequence') return { ...node, items: node.items.map(item => this.takeOutOf(item)) }
    if (node.kind === 'alias') return node
    return { ...node, items: node.items.map(({ key, value }) => ({ key, value: this.takeOutOf(value) })) }
  }

  /** Is written as it is, and nothing else that is written has this character in it. */
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

/** On one line. What JSON escapes, YAML reads; some characters YAML would not take as they are. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, unicodeEscape)
}
