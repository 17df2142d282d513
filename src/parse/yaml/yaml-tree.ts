import { EVENT_ID, type Event } from 'js-yaml'
import type { Path } from '../../model/location.ts'
import { YamlEvents } from './yaml-events.ts'
import { dashesAfter, hasLocation, type Span, spanOf } from './yaml-spans.ts'

/** A node and, for a value of a mapping, its key. */
interface Entry {
  readonly node: number
  readonly key: number | undefined
}

/** Locates the nodes of a YAML document in its text. A node is identified by the index of its event. */
export class YamlTree {
  readonly #events: YamlEvents
  /** Index of the keys of large mappings among their children. */
  readonly #keys = new Map<number, Map<string, number>>()
  /** Cache of the dashes of empty list items. */
  readonly #dashes = new Map<number, number>()

  constructor(text: string, events: readonly Event[]) {
    this.#events = new YamlEvents(text, events)
  }

  /** Returns the items of a list in one pass. */
  items(node: number): number[] {
    const list = this.#events.target(node)
    return this.#events.at(list)?.type === EVENT_ID.SEQUENCE ? this.#events.children(list) : []
  }

  /** Follows a path from a node as far as it exists. */
  find(node: number, path: Path): Entry & { complete: boolean } {
    let found: Entry = { node, key: undefined }
    for (const step of path) {
      const next = this.#step(this.#events.target(found.node), step)
      if (next === undefined) return { node: found.node, key: found.key, complete: false }
      found = next
    }
    return { node: found.node, key: found.key, complete: true }
  }

  span(node: number): Span | undefined {
    return spanOf(this.#events, node)
  }

  /** Returns the text of a scalar in the file, without its quotes or its header. */
  contentSpan(node: number): Span | undefined {
    const event = this.#events.at(this.#events.target(node))
    return event?.type === EVENT_ID.SCALAR && event.valueStart >= 0
      ? { start: event.valueStart, end: event.valueEnd }
      : undefined
  }

  /** Returns the dash of an empty list item. */
  emptyItemSpan(node: number): Span | undefined {
    if (this.#events.at(node)?.type !== EVENT_ID.SCALAR) return undefined
    if (!this.#dashes.has(node)) {
      let before = node - 1
      while (before > 0 && !hasLocation(this.#events, before)) before--
      for (const [item, dash] of dashesAfter(this.#events, before)) this.#dashes.set(item, dash)
    }
    const start = this.#dashes.get(node)
    return start === undefined ? undefined : { start, end: start + 1 }
  }

  /** Returns a scalar as written in the text, without quotes. */
  written(node: number): string | undefined {
    return this.#events.written(node)
  }

  /** Returns the keys that are repeated within a mapping. */
  duplicateKeys(): { key: string; span: Span }[] {
    const duplicates: { key: string; span: Span }[] = []
    for (const mapping of this.#events.mappings()) {
      const seen = new Set<string>()
      for (const key of this.#events.keys(mapping)) {
        const name = this.#events.written(key) ?? ''
        const span = this.span(key)
        if (seen.has(name) && span) duplicates.push({ key: name, span })
        if (!this.#events.isMerge(key)) seen.add(name)
      }
    }
    return duplicates
  }

  /** Returns the first key that is a mapping or a list. */
  complexKey(): Span | undefined {
    for (const mapping of this.#events.mappings()) {
      const key = this.#events.keys(mapping).find(node => this.#events.isCollection(this.#events.target(node)))
      if (key !== undefined) return this.span(key)
    }
    return undefined
  }

  #step(node: number, step: string | number): Entry | undefined {
    const type = this.#events.at(node)?.type
    if (type === EVENT_ID.MAPPING) return this.#entry(node, String(step)) ?? this.#mergedEntry(node, String(step))
    const item = type === EVENT_ID.SEQUENCE ? this.#events.children(node)[Number(step)] : undefined
    return item === undefined ? undefined : { node: item, key: undefined }
  }

  #entry(mapping: number, name: string): Entry | undefined {
    const children = this.#events.children(mapping)
    const index = this.#events.isLarge(children) ? this.#keysOf(mapping).get(name) : this.#keyIndex(children, name)
    const [key, node] = index === undefined ? [] : [children[index], children[index + 1]]
    return node === undefined ? undefined : { node, key }
  }

  /** Finds a key; the last of several equal keys wins. */
  #keyIndex(children: readonly number[], name: string): number | undefined {
    for (let index = children.length - 2; index >= 0; index -= 2) {
      if (this.#events.written(children[index] ?? -1) === name) return index
    }
    return undefined
  }

  #keysOf(mapping: number): Map<string, number> {
    const known = this.#keys.get(mapping)
    if (known) return known
    const keys = new Map(this.#events.keys(mapping).map((key, index) => [this.#events.written(key) ?? '', 2 * index]))
    this.#keys.set(mapping, keys)
    return keys
  }

  #mergedEntry(mapping: number, name: string): Entry | undefined {
    const children = this.#events.children(mapping)
    for (const [index, key] of children.entries()) {
      if (index % 2 === 1 || !this.#events.isMerge(key)) continue
      const target = this.#events.target(children[index + 1] ?? key)
      const isList = this.#events.at(target)?.type === EVENT_ID.SEQUENCE
      for (const source of isList ? this.#events.children(target) : [target]) {
        const found = this.#step(this.#events.target(source), name)
        if (found) return found
      }
    }
    return undefined
  }
}
