import { isMapping, isPlain } from '../objects.ts'

/** A value that the schema rejects. */
export const NO = Symbol('no')

/** Only zod can tell. */
export const UNSURE = Symbol('unsure')

/** What a schema makes of a value, which is often the value itself; NO or UNSURE. */
export type Quick = (value: unknown) => unknown

/** Collects the problems that a rule reports, as zod's context does. */
interface Problems {
  readonly value: unknown
  readonly issues: unknown[]
  addIssue(issue: unknown): void
}

export type Rule = (value: unknown, problems: Problems) => unknown

export const unsure: Quick = () => UNSURE

/** Made when it is first used. */
export function onDemand(make: () => Quick): Quick {
  let made: Quick | undefined
  return value => {
    made ??= make()
    return made(value)
  }
}

export function oneOf(values: Iterable<unknown>): Quick {
  const all = new Set(values)
  return value => (all.has(value) ? value : NO)
}

/** `also`, which may be undefined or null, in addition to the values of a schema. */
export function orElse(quick: Quick, also: unknown): Quick {
  return value => (value === also ? value : quick(value))
}

/** A default that is an object is copied by zod. */
export function orDefault(quick: Quick, given: unknown): Quick {
  const isPlain = given === null || !['object', 'function'].includes(typeof given)
  return value => (value !== undefined ? quick(value) : isPlain ? given : UNSURE)
}

export function refined(quick: Quick, accepts: (value: never) => unknown): Quick {
  return value => {
    const found = quick(value)
    if (found === NO || found === UNSURE) return found
    const answer = accepts(found as never)
    return answer instanceof Promise ? UNSURE : answer ? found : NO
  }
}

/** With a limit of a number, or of the length of a text or list. */
export function limited(quick: Quick, accepts: (size: number) => boolean): Quick {
  return value => {
    const found = quick(value)
    if (found === NO || found === UNSURE) return found
    if (typeof found === 'number') return accepts(found) ? found : NO
    const { length } = found as string | readonly unknown[]
    // Zod counts code points, of which a text may have half as many.
    if (typeof found === 'string' && accepts(length) !== accepts(Math.ceil(length / 2))) return UNSURE
    return accepts(length) ? found : NO
  }
}

/** With a rule that reports problems, and returns another value if it is a `transform`. */
export function ruled(quick: Quick, rule: Rule, kind: 'check' | 'transform'): Quick {
  return value => {
    const found = quick(value)
    if (found === NO || found === UNSURE) return found
    const issues: unknown[] = []
    const made = rule(found, { value: found, issues, addIssue: issue => issues.push(issue) })
    if (made instanceof Promise) return UNSURE
    if (issues.length > 0) return NO
    return kind === 'transform' ? made : found
  }
}

/** The first schema that accepts a value decides, unless an earlier one might. */
export function anyOf(options: readonly Quick[]): Quick {
  return value => {
    for (const option of options) {
      const found = option(value)
      if (found !== NO) return found
    }
    return NO
  }
}

export function listOf(element: Quick): Quick {
  return value => {
    if (!Array.isArray(value)) return NO
    let list: unknown[] = value
    for (let index = 0; index < value.length; index++) {
      const found = element(value[index])
      if (found === NO || found === UNSURE) return found
      if (found === value[index]) continue
      if (list === value) list = [...value]
      list[index] = found
    }
    return list
  }
}

export function tupleOf(elements: readonly Quick[]): Quick {
  return value => {
    if (!Array.isArray(value) || value.length !== elements.length) return NO
    const found = elements.map((element, index) => element(value[index]))
    if (found.includes(NO)) return NO
    return found.every((item, index) => item === value[index]) ? value : UNSURE
  }
}

/** A mapping with any keys. Zod drops `__proto__`, and rejects instances of classes. */
export function recordOf(element: Quick): Quick {
  return value => {
    if (!isMapping(value)) return NO
    if (!isPlain(value)) return UNSURE
    for (const key in value) {
      if (key === '__proto__') return UNSURE
      const found = element(value[key])
      if (found !== value[key]) return found === NO ? NO : UNSURE
    }
    return value
  }
}

export interface Field {
  readonly quick: Quick
  /** Whether it may be absent, and is then absent in what the schema returns. */
  readonly isOmittable: boolean
}

/** What is done with keys that have no field. */
export type OtherKeys = 'reject' | 'keep' | 'drop'

export function mappingOf(shape: Readonly<Record<string, Field>>, others: OtherKeys): Quick {
  const fields = Object.entries(shape)
  const positions = new Map(fields.map(([key], index) => [key, index]))
  return value => {
    if (!isMapping(value)) return NO
    let changed: Record<string, unknown> | undefined
    for (const [key, field] of fields) {
      const found = fieldOf(value, key, field)
      if (found === NO || found === UNSURE) return found
      if (found === value[key]) continue
      changed ??= {}
      changed[key] = found
    }
    const order = orderIn(value, positions, others)
    if (order === NO || order === UNSURE) return order
    return changed || order === 'other' ? inOrder(fields, { ...value, ...changed }) : value
  }
}

function fieldOf(value: Readonly<Record<string, unknown>>, key: string, { quick, isOmittable }: Field): unknown {
  const given = value[key]
  if (given === undefined && isOmittable && !(key in value)) return undefined
  const found = quick(given)
  // Zod has rules of its own for keys that are absent.
  return found === undefined && !isOmittable ? UNSURE : found
}

/** Whether the keys of a value are those of the fields, in their order. */
function orderIn(value: object, positions: ReadonlyMap<string, number>, others: OtherKeys) {
  let last = -1
  let order: 'same' | 'other' = 'same'
  for (const key in value) {
    const position = positions.get(key) ?? positions.size
    if (position === positions.size) {
      if (others === 'reject') return NO
      if (others === 'drop' || key === '__proto__') return UNSURE
    }
    if (position < last) order = 'other'
    last = position
  }
  return order
}

/** Zod returns the keys in the order of the fields, then the others. */
function inOrder(fields: readonly [string, Field][], value: Record<string, unknown>): Record<string, unknown> {
  const ordered: Record<string, unknown> = {}
  for (const [key] of fields) if (key in value) ordered[key] = value[key]
  return Object.assign(ordered, value)
}
