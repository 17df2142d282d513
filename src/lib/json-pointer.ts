/** The value at a JSON Pointer (`/items/0/a~1b`), as `{value}` so that a null there differs from nothing there. */
export function valueAtPointer(root: unknown, pointer: string): { readonly value: unknown } | undefined {
  let value = root
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return { value }
}
