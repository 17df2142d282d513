/** JSON that is the same for equal values: keys in order, nothing that is undefined. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return listJson(value)
  const keys = Object.keys(value)
  if (keys.length > 1) keys.sort()
  let json = ''
  for (const key of keys) {
    const part = (value as Record<string, unknown>)[key]
    if (part !== undefined) json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(part)}`
  }
  return `{${json}}`
}

function listJson(items: readonly unknown[]): string {
  let json = ''
  for (const [index, item] of items.entries()) json += `${index === 0 ? '' : ','}${canonicalJson(item)}`
  return `[${json}]`
}
