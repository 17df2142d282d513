import { isMapping } from './is-mapping.ts'

/** Takes texts out of other texts, and puts names in their place. */
export interface Redactor {
  text(text: string): string
  /** A value as JSON, with every text in it taken care of first. */
  json(value: unknown): string
}

export const NO_SECRETS: Redactor = { text: text => text, json: value => JSON.stringify(value) }

/** `secrets` are values with the names to show instead; what JSON, URLs, forms and base64 make of them is found too. */
export function redactor(secrets: ReadonlyMap<string, string>): Redactor {
  if (secrets.size === 0) return NO_SECRETS
  const names = new Map<string, string>()
  for (const [value, name] of secrets) for (const form of formsOf(value)) names.set(form, name)
  const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(longestFirst.map(escaped).join('|'), 'g')
  const text = (text: string) =>
    withoutCut(
      text.replace(pattern, found => `[${names.get(found)}]`),
      names,
    )
  return { text, json: value => JSON.stringify(mapTexts(value, text)) }
}

/** Fewer characters would be found in ordinary words. */
const SHORTEST = 6

function formsOf(secret: string): Set<string> {
  const forms = [secret, secret.trim()].flatMap(value => {
    const inUrl = encodeURIComponent(value)
    const inForm = new URLSearchParams({ '': value }).toString().slice(1)
    const plain = [value, inJson(value), inJson(inJson(value)), inJson(value).replaceAll('/', '\\/'), inUrl, inForm]
    return [...plain, lowerHex(inUrl), lowerHex(inForm), ...inBase64(value)]
  })
  return new Set(forms.filter(form => form.length >= SHORTEST))
}

/** The beginning of a secret in front of the mark where a text was cut, and the end of one behind it. */
function withoutCut(text: string, names: ReadonlyMap<string, string>): string {
  if (!text.includes('…')) return text
  const [first = '', ...others] = text.split('…')
  const parts = [first, ...others.map(part => withoutEnd(part, names))]
  const last = parts.pop() ?? ''
  return [...parts.map(part => withoutBeginning(part, names)), last].join('…')
}

function withoutBeginning(part: string, names: ReadonlyMap<string, string>): string {
  for (const [form, name] of names) {
    for (let length = Math.min(form.length - 1, part.length); length >= SHORTEST; length--) {
      if (part.endsWith(form.slice(0, length))) return `${part.slice(0, -length)}[${name}]`
    }
  }
  return part
}

function withoutEnd(part: string, names: ReadonlyMap<string, string>): string {
  for (const [form, name] of names) {
    for (let length = Math.min(form.length - 1, part.length); length >= SHORTEST; length--) {
      if (part.startsWith(form.slice(-length))) return `[${name}]${part.slice(length)}`
    }
  }
  return part
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change))
  if (!isMapping(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [change(key), mapTexts(part, change)]))
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function lowerHex(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, code => code.toLowerCase())
}

/** What is left of a value in base64, wherever in the encoded text it begins. */
function inBase64(value: string): string[] {
  const bytes = new TextEncoder().encode(value)
  const forms = [0, 1, 2].map(before => {
    const padded = new Uint8Array(before + bytes.length)
    padded.set(bytes, before)
    const begin = before === 0 ? 0 : before + 1
    return Buffer.from(padded)
      .toString('base64')
      .slice(begin, Math.floor((padded.length * 4) / 3))
  })
  return [...forms, ...forms.map(form => form.replaceAll('+', '-').replaceAll('/', '_'))]
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
