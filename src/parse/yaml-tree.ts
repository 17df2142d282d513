import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml'
import type { Path } from '../model/place.ts'

export interface Span {
  readonly start: number
  readonly end: number
}

const LONGEST_HEADER = 200
const LARGE = 64

/** Where in the text the nodes of a YAML document stand. Nodes are named by the index of their event. */
export class YamlTree {
  /** The node of the document's content. */
  static readonly ROOT = 1
  readonly #text: string
  readonly #events: readonly Event[]
  #anchors: Map<string, number[]> | undefined
  readonly #dashes = new Map<number, number>()
  /** What was found out about large collections; small ones are quicker to walk again. */
  readonly #known = new Map<number, { children: number[]; keys?: Map<string, number> }>()

  constructor(text: string, events: readonly Event[]) {
    this.#text = text
    this.#events = events
  }

  /** The items of a list, found in one pass over it. */
  items(node: number): number[] {
    const list = this.#target(node)
    if (this.#events[list]?.type !== EVENT_ID.SEQUENCE) return []
    return this.#children(list)
  }

  /** What a path leads to from a node; as far as it goes, where it ends in nothing. */
  find(node: number, path: Path): { node: number; key: number | undefined; complete: boolean } {
    let found: { node: number; key: number | undefined } = { node, key: undefined }
    for (const step of path) {
      const next = this.#step(this.#target(found.node), step)
      if (next === undefined) return { ...found, complete: false }
      found = next
    }
    return { ...found, complete: true }
  }

  /** The characters that stand for a node: a scalar with its quotes, the first key of a mapping, the mark of a list. */
  span(node: number): Span | undefined {
    const event = this.#events[node]
    switch (event?.type) {
      case EVENT_ID.SCALAR:
        return event.valueStart < 0 ? undefined : this.#scalarSpan(event)
      case EVENT_ID.ALIAS:
        return { start: event.anchorStart - 1, end: event.anchorEnd }
      case EVENT_ID.MAPPING: {
        const key = event.style === 1 ? this.span(node + 1) : undefined
        return { start: event.start, end: Math.max(key?.end ?? 0, event.start + 1) }
      }
      case EVENT_ID.SEQUENCE:
        return { start: event.start, end: event.start + 1 }
      default:
        return undefined
    }
  }

  /** The dash of a list item that is empty. */
  emptyItemSpan(node: number): Span | undefined {
    if (this.#events[node]?.type !== EVENT_ID.SCALAR) return undefined
    const known = this.#dashes.get(node)
    if (known !== undefined) return { start: known, end: known + 1 }
    let before = node - 1
    while (before > 0 && !this.#hasPlace(before)) before--
    this.#findDashes(before)
    const start = this.#dashes.get(node)
    return start === undefined ? undefined : { start, end: start + 1 }
  }

  /** Finds the dashes of all empty items that follow a node: each has one, in order. */
  #findDashes(before: number): void {
    const event = this.#events[before]
    const isFirst = event?.type === EVENT_ID.SEQUENCE
    const dash = /^[ \t]*(?:- +)*-(?=\s|$)/gm
    dash.lastIndex = event?.type === EVENT_ID.SCALAR ? event.valueEnd : (this.span(before)?.end ?? 0)
    for (let node = before + 1; node < this.#events.length && !this.#hasPlace(node); node++) {
      if (this.#events[node]?.type !== EVENT_ID.SCALAR) continue
      if (isFirst && node === before + 1) this.#dashes.set(node, this.span(before)?.start ?? 0)
      else if (dash.exec(this.#text)) this.#dashes.set(node, dash.lastIndex - 1)
    }
  }

  /** A plain scalar as it stands in the text. */
  written(node: number): string | undefined {
    const event = this.#events[this.#target(node)]
    return event?.type === EVENT_ID.SCALAR ? getScalarValue(this.#text, event) : undefined
  }

  /** The spans of keys that stand in a mapping for the second time. */
  duplicateKeys(): { key: string; span: Span }[] {
    const duplicates: { key: string; span: Span }[] = []
    for (const [node, event] of this.#events.entries()) {
      if (event.type !== EVENT_ID.MAPPING) continue
      const seen = new Set<string>()
      for (const key of this.#children(node).filter((_, index) => index % 2 === 0)) {
        const name = this.written(key) ?? ''
        const span = this.span(key)
        if (seen.has(name) && span) duplicates.push({ key: name, span })
        if (!this.#isMerge(key)) seen.add(name)
      }
    }
    return duplicates
  }

  /** The first key that is itself a mapping or a list. */
  complexKey(): Span | undefined {
    for (const [node, event] of this.#events.entries()) {
      if (event.type !== EVENT_ID.MAPPING) continue
      const key = this.#children(node).find(
        (child, index) => index % 2 === 0 && this.#isCollection(this.#target(child)),
      )
      if (key !== undefined) return this.span(key)
    }
    return undefined
  }

  #isCollection(node: number): boolean {
    const type = this.#events[node]?.type
    return type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE
  }

  /** The node that an alias stands for; any other node stands for itself. */
  #target(node: number): number {
    const event = this.#events[node]
    if (event?.type !== EVENT_ID.ALIAS) return node
    const name = this.#text.slice(event.anchorStart, event.anchorEnd)
    const defined = this.#anchorIndex().get(name) ?? []
    return defined.findLast(anchor => anchor < node) ?? node
  }

  #step(node: number, step: string | number): { node: number; key: number | undefined } | undefined {
    const event = this.#events[node]
    const children = this.#children(node)
    if (event?.type === EVENT_ID.SEQUENCE) {
      const item = children[Number(step)]
      return item === undefined ? undefined : { node: item, key: undefined }
    }
    if (event?.type !== EVENT_ID.MAPPING) return undefined
    return this.#entry(node, children, String(step)) ?? this.#mergedEntry(children, String(step))
  }

  #entry(mapping: number, children: readonly number[], name: string): { node: number; key: number } | undefined {
    const index = children.length > LARGE ? this.#keys(mapping).get(name) : this.#keyIndex(children, name)
    const [key, node] = index === undefined ? [] : [children[index], children[index + 1]]
    return key === undefined || node === undefined ? undefined : { node, key }
  }

  #keyIndex(children: readonly number[], name: string): number | undefined {
    for (let index = children.length - 2; index >= 0; index -= 2) {
      if (this.written(children[index] ?? -1) === name) return index
    }
    return undefined
  }

  /** The keys of a large mapping, each with its index among the children. */
  #keys(mapping: number): Map<string, number> {
    const known = this.#known.get(mapping) ?? { children: this.#children(mapping) }
    known.keys ??= new Map(
      known.children.flatMap((child, index): [string, number][] =>
        index % 2 === 0 ? [[this.written(child) ?? '', index]] : [],
      ),
    )
    this.#known.set(mapping, known)
    return known.keys
  }

  #mergedEntry(children: readonly number[], name: string): { node: number; key: number | undefined } | undefined {
    for (let index = 0; index < children.length; index += 2) {
      const [key, node] = [children[index], children[index + 1]]
      if (key === undefined || node === undefined || !this.#isMerge(key)) continue
      const target = this.#target(node)
      const sources = this.#events[target]?.type === EVENT_ID.SEQUENCE ? this.#children(target) : [target]
      for (const source of sources) {
        const found = this.#step(this.#target(source), name)
        if (found) return found
      }
    }
    return undefined
  }

  /** The nodes directly inside a collection: items, or keys and values by turns. */
  #children(node: number): number[] {
    const known = this.#known.get(node)
    if (known) return known.children
    const children = this.#walk(node)
    if (children.length > LARGE) this.#known.set(node, { children })
    return children
  }

  #walk(node: number): number[] {
    const children: number[] = []
    let depth = 0
    for (let index = node + 1; index < this.#events.length; index++) {
      const type = this.#events[index]?.type
      if (type === EVENT_ID.POP) {
        if (depth === 0) break
        depth--
        continue
      }
      if (depth === 0) children.push(index)
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++
    }
    return children
  }

  #isMerge(key: number): boolean {
    const event = this.#events[key]
    return event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN && this.written(key) === '<<'
  }

  #anchorIndex(): Map<string, number[]> {
    if (this.#anchors) return this.#anchors
    this.#anchors = new Map()
    for (const [index, event] of this.#events.entries()) {
      if (!('anchorStart' in event) || event.type === EVENT_ID.ALIAS || event.anchorStart < 0) continue
      const name = this.#text.slice(event.anchorStart, event.anchorEnd)
      const defined = this.#anchors.get(name)
      if (defined) defined.push(index)
      else this.#anchors.set(name, [index])
    }
    return this.#anchors
  }

  #scalarSpan(event: ScalarEvent): Span {
    const { valueStart: start, valueEnd: end, style } = event
    if (style === SCALAR_STYLE.PLAIN) return { start, end }
    if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED)
      return { start: start - 1, end: end + 1 }
    return this.#blockHeader(start) ?? { start, end }
  }

  #hasPlace(node: number): boolean {
    const event = this.#events[node]
    if (event?.type === EVENT_ID.SCALAR) return event.valueStart >= 0
    return event !== undefined && event.type !== EVENT_ID.POP && event.type !== EVENT_ID.DOCUMENT
  }

  /** The `|` or `>` above the text of a block scalar. */
  #blockHeader(start: number): Span | undefined {
    const from = Math.max(0, start - LONGEST_HEADER)
    const header = this.#text.slice(from, start).match(/[|>][-+\d]*(?=[^\S\r\n]*(#[^\r\n]*)?(\r\n?|\n)?$)/)
    if (header?.index === undefined) return undefined
    return { start: from + header.index, end: from + header.index + header[0].length }
  }
}
