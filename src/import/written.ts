import { isMapping } from '../lib/objects.ts'
import type { SourceNode } from '../parse/yaml/source-node.ts'

/** A value of a source file, with its place. */
export class Written {
  readonly value: unknown
  readonly at: SourceNode
  readonly #items: readonly Written[] | undefined

  constructor(value: unknown, at: SourceNode, items?: readonly Written[]) {
    this.value = value
    this.at = at
    this.#items = items
  }

  /** A list whose items are not one value of a file, such as the lines of a JSONL file. */
  static listOf(items: readonly Written[], at: SourceNode): Written {
    return new Written(
      items.map(({ value }) => value),
      at,
      items,
    )
  }

  /** The value of a key of a mapping; undefined where it is absent or null. */
  get(...keys: readonly string[]): Written | undefined {
    const { value } = this
    const key = isMapping(value) ? keys.find(name => Object.hasOwn(value, name)) : undefined
    const found = key === undefined ? undefined : (value as Record<string, unknown>)[key]
    return found === undefined || found === null ? undefined : new Written(found, this.at.child(key as string))
  }

  /** The keys and values of a mapping; empty for anything else. */
  entries(): [string, Written][] {
    if (!isMapping(this.value)) return []
    return Object.entries(this.value).map(([key, value]) => [key, new Written(value, this.at.child(key))])
  }

  /** The items of a list; empty for anything else. */
  items(): readonly Written[] {
    if (this.#items) return this.#items
    if (!Array.isArray(this.value)) return []
    const places = this.at.items()
    return this.value.map((value, index) => new Written(value, places[index] ?? this.at))
  }

  /** A list as its items, anything else as the only item. */
  list(): readonly Written[] {
    return Array.isArray(this.value) ? this.items() : [this]
  }

  /** A scalar as text, as it is written: `1.50` stays `1.50`. */
  text(): string | undefined {
    const { value } = this
    if (typeof value === 'string') return value
    return typeof value === 'number' || typeof value === 'boolean' ? (this.at.written() ?? String(value)) : undefined
  }

  number(): number | undefined {
    return typeof this.value === 'number' && Number.isFinite(this.value) ? this.value : undefined
  }

  isMapping(): boolean {
    return isMapping(this.value)
  }

  /** The same place with another value. */
  with(value: unknown): Written {
    return new Written(value, this.at)
  }
}
