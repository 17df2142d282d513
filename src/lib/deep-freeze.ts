/** Freezes plain objects and lists all the way down; instances of classes, and what is frozen already, stay as they are. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || !isPlain(value)) return value
  Object.freeze(value)
  for (const key in value) {
    const part = value[key]
    if (typeof part === 'object' && part !== null) deepFreeze(part)
  }
  return value
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
