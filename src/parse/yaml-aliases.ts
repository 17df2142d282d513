import { EVENT_ID, type Event } from 'js-yaml'
import type { YamlProblem } from './yaml-problem.ts'

/** How many nodes all aliases of a document may stand for, beyond those that are written. */
const MAX_EXPANSION = 1_000_000

/** Aliases that multiply beyond measure, or that stand inside what they stand for. */
export function aliasProblem(text: string, events: readonly Event[]): YamlProblem | undefined {
  if (!events.some(event => event.type === EVENT_ID.ALIAS)) return undefined
  const counter = new NodeCounter(text, events.length + MAX_EXPANSION)
  for (const event of events) {
    const problem = counter.take(event)
    if (problem) return problem
  }
  return undefined
}

/** Counts the nodes of a document as if every alias were written out. */
class NodeCounter {
  readonly #text: string
  readonly #most: number
  readonly #sizes = new Map<string, number>()
  readonly #open: { readonly name: string | undefined; size: number }[] = []
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
        this.#add(1, this.#name(event))
        return undefined
      default:
        this.#open.push({ name: event.type === EVENT_ID.DOCUMENT ? undefined : this.#name(event), size: 1 })
        return undefined
    }
  }

  #alias(event: { anchorStart: number; anchorEnd: number }): YamlProblem | undefined {
    const name = String(this.#name(event))
    const span = { start: event.anchorStart - 1, end: event.anchorEnd }
    if (this.#open.some(node => node.name === name)) {
      return { code: 'unsafe-yaml', span, message: `the alias \`*${name}\` stands inside what it stands for` }
    }
    const size = this.#sizes.get(name) ?? 1
    this.#total += size
    this.#add(size)
    if (this.#total <= this.#most) return undefined
    return { code: 'unsafe-yaml', span, message: 'the aliases up to here stand for more than a million nodes' }
  }

  #close(): void {
    const closed = this.#open.pop()
    this.#add(closed?.size ?? 0, closed?.name)
  }

  #add(size: number, name?: string): void {
    if (name !== undefined) this.#sizes.set(name, size)
    const parent = this.#open.at(-1)
    if (parent) parent.size += size
  }

  #name({ anchorStart, anchorEnd }: { anchorStart: number; anchorEnd: number }): string | undefined {
    return anchorStart < 0 ? undefined : this.#text.slice(anchorStart, anchorEnd)
  }
}
