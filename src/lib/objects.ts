/** Whether a value is an object and not an array. */
export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Removes the keys whose value is undefined or null. */
export function withoutNullish<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]?: NonNullable<Fields[Key]> } {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(given) as { [Key in keyof Fields]?: NonNullable<Fields[Key]> }
}

/**
 * Copies an object with further fields. For objects of which a run makes many: on Node 20, each `{ ...object, key }` has a
 * hidden class of its own, which takes more memory than its fields and makes it slow to read.
 */
export function withFields<Given extends object, Further extends object>(object: Given, further: Further) {
  return Object.assign({}, object, further)
}

/** Adds the fields that have a value. Absent fields take no memory, which counts where a run keeps many objects. */
export function addDefined<Given extends object, More extends object>(object: Given, more: More): Given & More {
  const joined = object as Given & More
  for (const key in more) if (more[key] !== undefined) joined[key] = more[key] as (Given & More)[typeof key]
  return joined
}

/** Whether two JSON values are equal, regardless of key order. */
export function deepEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => deepEqual(item, b[index]))
  }
  if (!isMapping(a) || !isMapping(b)) return a === b
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && deepEqual(a[key], b[key]))
}

/** Whether two JSON values are written alike: equal, with their keys in the same order. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b)
  if (a === b) return true
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  const others = Object.keys(b)
  if (keys.length !== others.length) return false
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as keyof typeof a & keyof typeof b
    if (key !== others[index] || !isSameJson(a[key], b[key])) return false
  }
  return true
}

/** Freezes plain objects and arrays recursively; skips class instances and frozen objects. */
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

/** Whether an object is not an instance of a class. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Whether a value is nested at most `depth` levels deep. */
export function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  if (Array.isArray(value)) return value.every(part => isNestedWithin(part, depth - 1))
  for (const key in value) {
    const part: unknown = value[key as keyof typeof value]
    if (typeof part === 'object' && !isNestedWithin(part, depth - 1)) return false
  }
  return true
}
