/** Whether lists and mappings in a value are nested at most so deep. */
export function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return depth > 0 && Object.values(value).every(part => isNestedWithin(part, depth - 1))
}
