import type { Random } from '../random.ts'
import { HOSTILE, NUMBERS, WORDS } from './dictionary.ts'

type Holder = Record<string, unknown> | unknown[]

/** Applies one mutation to a JSON value. */
export function mutateValue(value: unknown, random: Random, others: readonly unknown[] = []): unknown {
  try {
    return changed(value, random, others)
  } catch (error) {
    // A value that is nested too deeply to copy stays unchanged.
    if (error instanceof RangeError) return value
    throw error
  }
}

function changed(value: unknown, random: Random, others: readonly unknown[]): unknown {
  const copy = structuredClone(value)
  const holders = holdersIn(copy)
  if (holders.length === 0) return oddValue(random)
  const holder = random.pick(holders)
  const keys = Object.keys(holder)
  const key = keys.length > 0 ? random.pick(keys) : '0'
  random.pick(random.chance(0.4) ? MILD : CHANGES)(holder, key, random, others)
  return copy
}

type Change = (holder: Holder, key: string, random: Random, others: readonly unknown[]) => void

/** Mutations that often keep the value valid. */
const MILD: readonly Change[] = [
  (holder, key, random) => put(holder, key, nearValue(at(holder, key), random)),
  (holder, key) => add(holder, `x-${key}`, at(holder, key)),
  (holder, key) => put(holder, key, asText(at(holder, key))),
]

const CHANGES: readonly Change[] = [
  (holder, key, random) => put(holder, key, oddValue(random)),
  (holder, key, random) => put(holder, key, nearValue(at(holder, key), random)),
  (holder, key) => remove(holder, key),
  (holder, key, random) => add(holder, random.pick(WORDS), structuredClone(at(holder, key))),
  (holder, _, random) => add(holder, random.pick(WORDS), oddValue(random)),
  (holder, _, random, others) => add(holder, random.pick(WORDS), pieceOf(others, random)),
  (holder, key, random, others) => put(holder, key, pieceOf(others, random)),
  (holder, key) => put(holder, key, [at(holder, key)]),
  (holder, key, random) => put(holder, key, { [random.pick(WORDS)]: at(holder, key) }),
  (holder, key, random) => {
    const moved = at(holder, key)
    remove(holder, key)
    add(holder, random.pick([...WORDS, ...HOSTILE]), moved)
  },
  (holder, key, random) => {
    const other = random.pick(Object.keys(holder)) ?? key
    const [one, two] = [at(holder, key), at(holder, other)]
    put(holder, key, two)
    put(holder, other, one)
  },
]

/** The value as a string, as if it was quoted by accident. */
function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** A value of any type. */
export function oddValue(random: Random): unknown {
  switch (random.below(9)) {
    case 0:
      return null
    case 1:
      return random.chance(0.5)
    case 2:
      return Number(random.pick(NUMBERS))
    case 3:
      return random.pick(['', ' ', '\n', ...HOSTILE])
    case 4:
      return random.pick(WORDS)
    case 5:
      return random.pick([[], [[]], [null], [''], ['x', 'x'], Array.from({ length: 300 }, (_, nth) => nth)])
    case 6:
      return random.pick<object>([{}, { type: random.pick(WORDS) }, { toString: 1 }, { [random.pick(WORDS)]: null }])
    case 7:
      return nested(random.pick([2, 30, 120, 1000]))
    default:
      return random.pick(['x', 'ä ']).repeat(random.pick([100, 2000]))
  }
}

/** A similar value of the same type, if possible. */
function nearValue(value: unknown, random: Random): unknown {
  if (typeof value === 'number') return Number(random.pick(NUMBERS))
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') {
    const cut = random.below(value.length + 1)
    return random.pick([
      value.slice(0, cut),
      value.slice(cut),
      value + random.pick(HOSTILE),
      random.pick(WORDS),
      ` ${value}`,
    ])
  }
  if (Array.isArray(value)) return random.pick([value.slice(1), [...value, ...value], value.toReversed()])
  return value
}

function nested(depth: number): unknown {
  let value: unknown = 'x'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

function pieceOf(others: readonly unknown[], random: Random): unknown {
  const holders = holdersIn(others.length > 0 ? random.pick(others) : undefined)
  if (holders.length === 0) return null
  const values = Object.values(random.pick(holders))
  return structuredClone(values.length > 0 ? random.pick(values) : null)
}

/** The lists and mappings in a value, up to a depth of 60. */
function holdersIn(value: unknown, depth = 0): Holder[] {
  if (typeof value !== 'object' || value === null || depth > 60) return []
  return [value as Holder, ...Object.values(value).flatMap(inner => holdersIn(inner, depth + 1))]
}

function at(holder: Holder, key: string): unknown {
  return (holder as Record<string, unknown>)[key]
}

function put(holder: Holder, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value
  else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
}

function add(holder: Holder, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value)
  else put(holder, key, value)
}

function remove(holder: Holder, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}
