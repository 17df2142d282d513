/** Freezes plain objects and lists all the way down; instances of classes, and what is frozen already, stay as they are. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) freeze(value)
  return value
}

function freeze(value: object): void {
  if (Object.isFrozen(value)) return
  if (Array.isArray(value)) {
    for (const part of value) if (typeof part === 'object' && part !== null) freeze(part)
  } else if (isPlain(value)) {
    for (const key in value) {
      const part = (value as Record<string, unknown>)[key]
      if (typeof part === 'object' && part !== null) freeze(part)
    }
  } else return
  Object.freeze(value)
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
