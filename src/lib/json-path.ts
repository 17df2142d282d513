/** `order.items[0].price` as its steps, or undefined when it is not such a path. */
export function parseJsonPath(path: string): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = []
  const step = /(?:^|\.)([^.[\]]+)|\[(\d+)\]/y
  while (step.lastIndex < path.length) {
    const match = step.exec(path)
    if (!match) return undefined
    steps.push(match[1] ?? Number(match[2]))
  }
  return steps.length > 0 ? steps : undefined
}

/** Steps as a path: `order.items[0].price`. */
export function jsonPathText(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`))
    .join('')
}

/**
 * The value at a path, as `{value}` so that a null there differs from nothing there. `[n]` is an item of a list, never a
 * key of a mapping; a key is one of a mapping, or the number of an item.
 */
export function valueAt(root: unknown, steps: readonly (string | number)[]): { value: unknown } | undefined {
  let value = root
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    const isItem = typeof step === 'number'
    if (Array.isArray(value) ? !isItem && !/^\d+$/.test(step) : isItem) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return { value }
}
