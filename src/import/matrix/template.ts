import { parseJson } from '../../lib/json/parse-json.ts'
import { isMapping } from '../../lib/objects.ts'

/** Values of the variables of a test, by name. */
export type Vars = Readonly<Record<string, unknown>>

/** Raw text, an expression, a statement or a comment of a Nunjucks template; a dash removes the spaces beside it. */
const PART =
  /\{%-?\s*raw\s*-?%\}([\s\S]*?)\{%-?\s*endraw\s*-?%\}|(?:\s*\{\{-|\{\{)([\s\S]*?)(?:-\}\}\s*|\}\})|(?:\s*\{%-|\{%)([\s\S]*?)(?:-%\}\s*|%\})|\{#[\s\S]*?#\}/g

const NAME = /^[A-Za-z_]\w*$/

/** Whether a text is filled in from variables. */
export function isTemplate(text: string): boolean {
  return text.search(PART) >= 0
}

/**
 * The variables of a template that suites fill in as Nunjucks does: every expression is just a name. Undefined for any
 * other template, and where a backslash would make an expression literal.
 */
export function simpleNames(text: string): string[] | undefined {
  const names: string[] = []
  for (const [part, , expression] of text.matchAll(PART)) {
    const name = expression?.trim() ?? ''
    if (!NAME.test(name) || !/^\{\{[^-][\s\S]*[^-]\}\}$/.test(part)) return undefined
    names.push(name)
  }
  return text.includes('\\{{') ? undefined : names
}

/** A text after its variables were filled in, or the part that cannot be. */
export type Rendered =
  | {
      readonly text: string
      readonly missing: readonly string[]
      /** How many values are mappings, which JavaScript cannot write in a text. */
      readonly mappings: number
    }
  | { readonly unsupported: string }

/** Fills in variables as Nunjucks does: names, paths into values, and a few filters. An absent value is an empty text. */
export function render(text: string, vars: Vars): Rendered {
  const missing: string[] = []
  let mappings = 0
  let unsupported: string | undefined
  const filled = text.replace(PART, (part: string, raw?: string, expression?: string, statement?: string) => {
    if (raw !== undefined) return raw
    if (expression === undefined) {
      if (statement !== undefined) unsupported ??= part
      return ''
    }
    const value = evaluate(expression, vars)
    if (!value) unsupported ??= part
    else if (value.value === undefined || value.value === null) missing.push(expression.trim())
    else if (isMapping(value.value)) mappings++
    return value ? textOf(value.value) : ''
  })
  return unsupported === undefined ? { text: filled, missing, mappings } : { unsupported }
}

/** The variable that a text consists of, if that is all. */
export function soleName(text: string): string | undefined {
  const [, name] = /^\s*\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}\s*$/.exec(text) ?? []
  return name
}

const FILTERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  dump: value => JSON.stringify(value),
  tojson: value => JSON.stringify(value),
  load: value => parseJson(textOf(value)),
  safe: value => value,
  string: value => textOf(value),
  trim: value => textOf(value).trim(),
  upper: value => textOf(value).toUpperCase(),
  lower: value => textOf(value).toLowerCase(),
  length: value => (Array.isArray(value) || typeof value === 'string' ? value.length : undefined),
}

/** Variables whose values are known only when the tests run. */
const RUNTIME = ['env', '_conversation']

/** A path into a value, which is a variable or an expression in parentheses, and filters. */
const EXPRESSION =
  /^(?:([A-Za-z_]\w*)|\(([^()]+)\))((?:\.\w+|\[\d+\]|\["[^"\]]*"\]|\['[^'\]]*'\])*)((?:\s*\|\s*[a-z]+)*)$/

/** The value of an expression, which may be undefined; undefined itself for an expression that is not supported. */
function evaluate(expression: string, vars: Vars): { readonly value: unknown } | undefined {
  const [matched, name = '', inner, path = '', filtered = ''] = EXPRESSION.exec(expression.trim()) ?? []
  const filters = filtered.match(/[a-z]+/g) ?? []
  if (matched === undefined || filters.some(filter => !Object.hasOwn(FILTERS, filter))) return undefined
  if (RUNTIME.includes(name) && !Object.hasOwn(vars, name)) return undefined
  const start = inner === undefined ? { value: valueIn(vars, name) } : evaluate(inner, vars)
  if (!start) return undefined
  const steps = path.match(/\w[^.[\]"']*/g) ?? []
  const found = steps.reduce<unknown>((value, step) => valueIn(value, step), start.value)
  return { value: filters.reduce((value, filter) => FILTERS[filter]?.(value), found) }
}

function valueIn(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return value[Number(step)]
  return isMapping(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** A value in a text, as JavaScript writes it there, but for mappings. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return isMapping(value) ? JSON.stringify(value) : String(value)
}
