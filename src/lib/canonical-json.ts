/** JSON that is the same for equal values: keys in order, nothing that is undefined. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(inOrder(value)) ?? 'null'
}

/** The value with the keys of its mappings in order; the same one where they are so already, as mostly. */
function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isInOrder(value)) return value
  if (Array.isArray(value)) return value.map(inOrder)
  const entries = Object.entries(value).map(([key, part]) => [key, inOrder(part)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function isInOrder(value: object): boolean {
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object' && item !== null && !isInOrder(item)) return false
    return true
  }
  let last = ''
  for (const key in value) {
    if (key < last) return false
    last = key
    const part = (value as Record<string, unknown>)[key]
    if (typeof part === 'object' && part !== null && !isInOrder(part)) return false
  }
  return true
}
