import { isMapping } from '../objects.ts'
import { byteForms, SHORTEST, secretForms } from './secret-forms.ts'
import { IN_DIFFS, replaceInLines } from './wrapped-lines.ts'

/** Replaces secrets in texts by their names. */
export interface Redactor {
  text(text: string): string
  /** Serializes a value with every string redacted. */
  json(value: unknown): string
}

/** Exceptions from redaction, by key. */
export interface RedactionRules {
  /** Keys at the top level whose values are never redacted. */
  readonly kept: ReadonlySet<string>
  /** Keys whose values are our own numbers, at any depth. */
  readonly counted: ReadonlySet<string>
  /** Keys with arbitrary values: below them there are no exceptions, and numbers are redacted too. */
  readonly free: ReadonlySet<string>
}

const NO_RULES: RedactionRules = { kept: new Set(), counted: new Set(), free: new Set() }

const NO_SECRETS: Redactor = { text: text => text, json: value => JSON.stringify(value) }

const DIFF_MARK = /[\r\n][+-]|\\n[+-]/

/** `secrets` maps values to the names that replace them. Also finds values encoded in JSON, URLs, HTML and base64. */
export function createRedactor(secrets: ReadonlyMap<string, string>, keys = NO_RULES): Redactor {
  if (secrets.size === 0) return NO_SECRETS
  const names = new Map<string, string>()
  for (const [value, name] of secrets) for (const form of secretForms(value)) names.set(form, name)
  // Without any form, the pattern would match everywhere.
  if (names.size === 0) return NO_SECRETS
  const pattern = anyOf(names)
  const inLines = namesInLines(secrets, names)
  const patternInLines = anyOf(inLines)
  const withoutCut = cutForms(names)
  const text = (text: string) => {
    const whole = text.replace(pattern, found => `[${names.get(found)}]`)
    const nameOf = (found: string) => `[${inLines.get(found)}]`
    const joined = replaceInLines(whole, patternInLines, nameOf)
    return withoutCut(DIFF_MARK.test(joined) ? replaceInLines(joined, patternInLines, nameOf, IN_DIFFS) : joined)
  }
  const numbers = new Map([...secrets].flatMap(([value, name]) => (isNumeric(value) ? [[Number(value), name]] : [])))
  const change = { ...keys, text, number: (value: number) => (numbers.has(value) ? `[${numbers.get(value)}]` : value) }
  return { text, json: value => JSON.stringify(redacted(value, change)) }
}

/** A pattern for any of these texts, longest first. */
function anyOf(texts: ReadonlyMap<string, unknown>): RegExp {
  const longestFirst = [...texts.keys()].sort((a, b) => b.length - a.length)
  return new RegExp(longestFirst.map(escaped).join('|'), 'g')
}

/** The shortest form that is searched across line breaks: shorter ones occur in ordinary text. */
const SHORTEST_IN_LINES = 16

function namesInLines(secrets: ReadonlyMap<string, string>, names: ReadonlyMap<string, string>): Map<string, string> {
  const long = [...names].filter(([form]) => form.length >= SHORTEST_IN_LINES && !/\s/.test(form))
  const bytes = [...secrets].flatMap(([value, name]) => byteForms(value).map(form => [form, name] as const))
  return new Map([...long, ...bytes])
}

function isNumeric(value: string): boolean {
  return /^[+-]?\d+(\.\d+)?$/.test(value.trim()) && value.trim().length >= SHORTEST
}

/** Redacts parts of secrets next to the `…` of a truncated text: beginnings before it, ends after it, middles between two. */
function cutForms(names: ReadonlyMap<string, string>): (text: string) => string {
  // Most texts next to a mark share no part with any form.
  const grams = new Set<string>()
  for (const form of names.keys())
    for (let at = 0; at + SHORTEST <= form.length; at++) grams.add(form.slice(at, at + SHORTEST))
  const beginning = (part: string) => (grams.has(part.slice(-SHORTEST)) ? withoutBeginning(part, names) : part)
  const end = (part: string) => (grams.has(part.slice(0, SHORTEST)) ? withoutEnd(part, names) : part)
  return text => {
    if (!text.includes('…')) return text
    const [first = '', ...others] = text.split('…')
    const last = others.pop() ?? ''
    const between = others.map(part => insideName(part, names) ?? beginning(end(part)))
    return [beginning(first), ...between, end(last)].join('…')
  }
}

/** The name of a secret that contains this part. */
function insideName(part: string, names: ReadonlyMap<string, string>): string | undefined {
  if (part.length < SHORTEST) return undefined
  for (const [form, name] of names) if (form.includes(part)) return `[${name}]`
  return undefined
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

interface Change extends RedactionRules {
  text(text: string): string
  number(value: number): number | string
}

/** Records may be wrapped once for transport. */
const DEEPEST_KEPT = 1

function redacted(value: unknown, change: Change, depth = 0, isFree = false): unknown {
  if (typeof value === 'string') return change.text(value)
  if (typeof value === 'number') return isFree ? change.number(value) : value
  if (Array.isArray(value)) return value.map(item => redacted(item, change, depth + 1, isFree))
  if (!isMapping(value)) return value
  const entries = Object.entries(value).map(([key, part]) => {
    const isKept = depth <= DEEPEST_KEPT && change.kept.has(key)
    if (!isFree && (isKept || change.counted.has(key))) return [key, part]
    return [change.text(key), redacted(part, change, depth + 1, isFree || change.free.has(key))]
  })
  return Object.fromEntries(entries)
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
