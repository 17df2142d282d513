import { dump, load } from 'js-yaml'
import type { Random } from '../random.ts'
import { mutateBytes } from './mutate-bytes.ts'
import { mutateText } from './mutate-text.ts'
import { mutateValue } from './mutate-value.ts'

/** The format of a file. */
export type Form = 'yaml' | 'json' | 'jsonl'

/** Mutates the values, the text or the bytes of a file. */
export function mutateFile(bytes: Uint8Array, form: Form, random: Random, others: readonly string[]): Uint8Array {
  let text = new TextDecoder().decode(bytes)
  const kind = random.next()
  if (kind < 0.65) text = mutateValues(text, form, random, others)
  if (kind > 0.6) for (let left = random.few(3); left > 0; left--) text = mutateText(text, random, others)
  const encoded = new TextEncoder().encode(text)
  return random.chance(0.07) ? mutateBytes(encoded, random) : encoded
}

/** Mutates values and keeps the file readable; returns an unreadable file unchanged. */
export function mutateValues(text: string, form: Form, random: Random, others: readonly string[]): string {
  const value = readValue(text, form)
  if (value === undefined) return text
  const pieces = [readValue(random.pick(others) ?? '', 'yaml')].filter(each => each !== undefined)
  let changed: unknown = value
  for (let left = random.few(3); left > 0; left--) changed = mutateValue(changed, random, pieces)
  return textOf(changed, form, random)
}

function readValue(text: string, form: Form): unknown {
  // Expanding many aliases can exhaust the memory.
  if ((text.match(/\*\w/g)?.length ?? 0) > 10) return undefined
  try {
    if (form === 'yaml') return plain(load(text))
    if (form === 'json') return JSON.parse(text)
    return text.split('\n').flatMap(line => (line.trim() === '' ? [] : [JSON.parse(line)]))
  } catch {
    return undefined
  }
}

/** A copy without shared references. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}

function textOf(value: unknown, form: Form, random: Random): string {
  if (form === 'jsonl' && Array.isArray(value)) return value.map(line => `${JSON.stringify(line)}\n`).join('')
  const json = JSON.stringify(value, null, random.pick([undefined, 1]))
  if (form !== 'yaml' || random.chance(0.3)) return json ?? ''
  try {
    return dump(value, { lineWidth: random.pick([-1, 40, 100]), flowLevel: random.pick([-1, 3]) })
  } catch {
    return json ?? ''
  }
}
