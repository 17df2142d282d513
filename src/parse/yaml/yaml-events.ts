import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE } from 'js-yaml'

const LARGE = 64
const RECENT = 8

/** The events of a YAML document as a tree of nodes, with aliases resolved. */
export class YamlEvents {
  readonly text: string
  readonly #events: readonly Event[]
  #anchors: Map<string, number[]> | undefined
  /** Cached children of large collections. Those of small ones are quick to compute. */
  readonly #known = new Map<number, number[]>()

  /** Children of the most recent collections: the parts of one test are located one after another. */
  readonly #recent = new Map<number, number[]>()

  constructor(text: string, events: readonly Event[]) {
    this.text = text
    this.#events = events
  }

  get length(): number {
    return this.#events.length
  }

  at(node: number): Event | undefined {
    return this.#events[node]
  }

  /** Resolves an alias to its node; returns any other node unchanged. */
  target(node: number): number {
    const event = this.#events[node]
    if (event?.type !== EVENT_ID.ALIAS) return node
    const name = this.text.slice(event.anchorStart, event.anchorEnd)
    const defined = this.#anchorIndex().get(name) ?? []
    return defined.findLast(anchor => anchor < node) ?? node
  }

  /** Returns a scalar as written in the text, without quotes. */
  written(node: number): string | undefined {
    const event = this.#events[this.target(node)]
    return event?.type === EVENT_ID.SCALAR ? getScalarValue(this.text, event) : undefined
  }

  isCollection(node: number): boolean {
    const type = this.#events[node]?.type
    return type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE
  }

  isMerge(key: number): boolean {
    const event = this.#events[key]
    return event?.type === EVENT_ID.SCALAR && event.style === SCALAR_STYLE.PLAIN && this.written(key) === '<<'
  }

  isLarge(children: readonly number[]): boolean {
    return children.length > LARGE
  }

  /** Returns the direct children of a collection: items, or alternating keys and values. */
  children(node: number): number[] {
    const known = this.#known.get(node) ?? this.#recent.get(node)
    if (known) return known
    const { children, events } = this.#walk(node)
    if (events > LARGE) this.#known.set(node, children)
    else this.#remember(node, children)
    return children
  }

  /** Returns the keys of a mapping. */
  keys(mapping: number): number[] {
    return this.children(mapping).filter((_, index) => index % 2 === 0)
  }

  /** Yields every mapping of the document. */
  *mappings(): Generator<number> {
    for (const [node, event] of this.#events.entries()) if (event.type === EVENT_ID.MAPPING) yield node
  }

  #remember(node: number, children: number[]): void {
    if (this.#recent.size >= RECENT) this.#recent.clear()
    this.#recent.set(node, children)
  }

  #walk(node: number): { children: number[]; events: number } {
    const children: number[] = []
    let depth = 0
    let index = node + 1
    for (; index < this.#events.length; index++) {
      const type = this.#events[index]?.type
      if (type === EVENT_ID.POP) {
        if (depth === 0) break
        depth--
        continue
      }
      if (depth === 0) children.push(index)
      if (type === EVENT_ID.MAPPING || type === EVENT_ID.SEQUENCE) depth++
    }
    return { children, events: index - node }
  }

  #anchorIndex(): Map<string, number[]> {
    if (this.#anchors) return this.#anchors
    this.#anchors = new Map()
    for (const [index, event] of this.#events.entries()) {
      if (!('anchorStart' in event) || event.type === EVENT_ID.ALIAS || event.anchorStart < 0) continue
      const name = this.text.slice(event.anchorStart, event.anchorEnd)
      const defined = this.#anchors.get(name)
      if (defined) defined.push(index)
      else this.#anchors.set(name, [index])
    }
    return this.#anchors
  }
}
