import { EVENT_ID, type Event } from 'js-yaml'
import { quoteCode } from '../../lib/text/quote.ts'
import type { YamlProblem } from './yaml-problem.ts'

/** Maximum number of nodes that the aliases of a document may expand to. */
const MAX_EXPANSION = 1_000_000

/** Finds aliases that expand beyond the limit or that refer to a node that contains them. */
export function aliasProblem(text: string, events: readonly Event[]): YamlProblem | undefined {
  if (!events.some(event => event.type === EVENT_ID.ALIAS)) return undefined
  const counter = new NodeCounter(text, events.length + MAX_EXPANSION)
  for (const event of events) {
    const problem = counter.take(event)
    if (problem) return problem
  }
  return undefined
}

/** Counts the nodes of a document with every alias expanded. */
class NodeCounter {
  readonly #text: string
  readonly #most: number
  /** The last definition of each anchor. */
  readonly #anchors = new Map<string, Counted>()
  readonly #open: Counted[] = []
  #total = 0

  constructor(text: string, most: number) {
    this.#text = text
    this.#most = most
  }

  take(event: Event): YamlProblem | undefined {
    switch (event.type) {
      case EVENT_ID.ALIAS:
        return this.#alias(event)
      case EVENT_ID.POP:
        this.#close()
        return undefined
      case EVENT_ID.SCALAR:
        this.#define(event, { size: 1, depth: 0, closed: true })
        this.#add(1, 0)
        return undefined
      default: {
        const node = { size: 1, depth: 1, closed: false }
        if (event.type !== EVENT_ID.DOCUMENT) this.#define(event, node)
        this.#open.push(node)
        return undefined
      }
    }
  }

  #alias({ anchorStart, anchorEnd }: Anchored): YamlProblem | undefined {
    const name = this.#text.slice(anchorStart, anchorEnd)
    const span = { start: anchorStart - 1, end: anchorEnd }
    const anchor = this.#anchors.get(name)
    if (anchor && !anchor.closed) {
      return {
        code: 'unsafe-yaml',
        span,
        message: `the alias ${quoteCode(`*${name}`)} refers to a node that contains it`,
        hint: 'write the values out',
      }
    }
    const { size, depth } = anchor ?? { size: 1, depth: 0 }
    this.#total += size
    this.#add(size, depth)
    if (this.#open.length + depth > MAX_DEPTH) {
      return {
        code: 'unsafe-yaml',
        span,
        message: `nesting exceeds the limit of ${MAX_DEPTH}`,
        hint: 'reduce the nesting',
      }
    }
    if (this.#total <= this.#most) return undefined
    return {
      code: 'unsafe-yaml',
      span,
      message: 'the aliases up to here expand to more than a million nodes',
      hint: 'use fewer aliases',
    }
  }

  #define({ anchorStart, anchorEnd }: Anchored, node: Counted): void {
    if (anchorStart >= 0) this.#anchors.set(this.#text.slice(anchorStart, anchorEnd), node)
  }

  #close(): void {
    const node = this.#open.pop()
    if (!node) return
    node.closed = true
    this.#add(node.size, node.depth)
  }

  #add(size: number, depth: number): void {
    const parent = this.#open.at(-1)
    if (!parent) return
    parent.size += size
    parent.depth = Math.max(parent.depth, depth + 1)
  }
}

interface Counted {
  /** Number of nodes and depth, with every alias expanded. */
  size: number
  depth: number
  closed: boolean
}

interface Anchored {
  readonly anchorStart: number
  readonly anchorEnd: number
}

/** Maximum nesting of values in every format, aliases included. */
export const MAX_DEPTH = 100
