import type { Path } from '../../model/location.ts'
import { plainEnd, plainValue } from './simple-words.ts'

/** The node of a document's content. */
export const ROOT = 1

/** Numbers per node: where it begins, and its last node. */
const SIZE = 2

/**
 * Where the nodes of simple YAML begin. A node has the number of its event in js-yaml, so that it is the same one in
 * the tree that is made of events when more is asked.
 */
export class Outline {
  readonly #text: string
  /** The document is the first node. Nodes without a location begin at -1. */
  readonly #nodes: number[] = [-1, 0]

  constructor(text: string) {
    this.#text = text
  }

  /** Adds a node, and returns its number. */
  add(start: number): number {
    const node = this.#nodes.length / SIZE
    this.#nodes.push(start, node)
    return node
  }

  /** Ends a mapping or list. */
  close(node: number): void {
    this.#nodes[node * SIZE + 1] = this.add(-1)
  }

  /** Adds the nodes from `first` to before `end` once more, `by` characters further. */
  repeat(first: number, end: number, by: number): void {
    const shift = this.length - first
    for (let node = first; node < end; node++) {
      const start = this.#startOf(node)
      this.#nodes.push(start < 0 ? start : start + by, this.#lastOf(node) + shift)
    }
  }

  /** Ends the document. */
  end(): void {
    this.close(0)
  }

  /** The number of nodes, with the ends of collections. */
  get length(): number {
    return this.#nodes.length / SIZE
  }

  /** Returns the offset of the node at a path from another; undefined if it has none. */
  start(root: number, path: Path): number | undefined {
    const node = this.#find(root, path)
    const start = node === undefined ? -1 : this.#startOf(node)
    return start < 0 ? undefined : start
  }

  /** Returns a number, boolean or null as it is written; undefined for any other node. */
  written(root: number, path: Path): string | undefined {
    const start = this.start(root, path)
    if (start === undefined) return undefined
    const written = this.#text.slice(start, plainEnd(this.#text, start))
    const value = plainValue(written)
    return value === undefined || typeof value === 'string' ? undefined : written
  }

  /** Returns the items of the list at a path; undefined if there is no list. */
  items(root: number, path: Path): number[] | undefined {
    const list = this.#find(root, path)
    if (list === undefined || !this.#isList(list)) return undefined
    const items: number[] = []
    for (let item = list + 1; item < this.#lastOf(list); item = this.#lastOf(item) + 1) items.push(item)
    return items
  }

  #find(root: number, path: Path): number | undefined {
    let node: number | undefined = root
    for (const step of path) {
      if (this.#lastOf(node) === node) return undefined
      node = this.#isList(node) ? this.#item(node, Number(step)) : this.#value(node, String(step))
      if (node === undefined) return undefined
    }
    return node
  }

  #item(list: number, index: number): number | undefined {
    if (!Number.isInteger(index) || index < 0) return undefined
    let item = list + 1
    for (let left = index; left > 0 && item < this.#lastOf(list); left--) item = this.#lastOf(item) + 1
    return item < this.#lastOf(list) ? item : undefined
  }

  #value(mapping: number, name: string): number | undefined {
    for (let key = mapping + 1; key < this.#lastOf(mapping); key = this.#lastOf(key + 1) + 1) {
      const start = this.#startOf(key)
      if (this.#text.startsWith(name, start) && this.#text[start + name.length] === ':') return key + 1
    }
    return undefined
  }

  #isList(node: number): boolean {
    const first = this.#text[this.#startOf(node)]
    return this.#lastOf(node) !== node && (first === '-' || first === '[')
  }

  #startOf(node: number): number {
    return this.#nodes[node * SIZE] ?? -1
  }

  #lastOf(node: number): number {
    return this.#nodes[node * SIZE + 1] ?? node
  }
}
