/** Groups items by key; keeps the order of first appearance. */
export function groupBy<Item>(items: Iterable<Item>, keyOf: (item: Item) => string): Map<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** The number of files processed at once. */
const SIZE = 16

/** Splits items into chunks that are processed one after another. */
export function chunksOf<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / SIZE) }, (_, index) =>
    items.slice(index * SIZE, (index + 1) * SIZE),
  )
}

/** Collision-free key for several strings. */
export function compositeKey(...texts: readonly string[]): string {
  let key = ''
  for (const text of texts) key += `${text.length} ${text}`
  return key
}

/** Interns equal strings and values, so that many records share one in memory. */
export class InternPool {
  readonly #texts = new Map<string, string>()
  readonly #values = new Map<string, unknown>()

  text(text: string): string {
    const known = this.#texts.get(text)
    if (known === undefined) this.#texts.set(text, text)
    return known ?? text
  }

  /** Returns the value of a key, which is made once. */
  made<Value>(key: string, make: () => Value): Value {
    const known = this.#values.get(key) as Value | undefined
    if (known !== undefined) return known
    const value = make()
    this.#values.set(key, value)
    return value
  }

  /** Interns a JSON value. */
  value<Value>(value: Value): Value {
    const key = JSON.stringify(value)
    const known = this.#values.get(key) as Value | undefined
    if (known === undefined) this.#values.set(key, value)
    return known ?? value
  }
}
