import { isMapping } from './is-mapping.ts'
import { formsOf, SHORTEST } from './secret-forms.ts'

/** Takes texts out of other texts, and puts names in their place. */
export interface Redactor {
  text(text: string): string
  /** A value as JSON, with every text in it taken care of first. */
  json(value: unknown): string
}

export const NO_SECRETS: Redactor = { text: text => text, json: value => JSON.stringify(value) }

/** `secrets` are values with the names to show instead; what JSON, URLs, HTML and base64 make of them is found too. */
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

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
