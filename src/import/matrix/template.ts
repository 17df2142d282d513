import { isMapping } from '../../lib/objects.ts'

/** Values of the variables of a test, by name. */
export type Vars = Readonly<Record<string, unknown>>

/** An expression, a statement or a comment of a Nunjucks template. */
const PART = /\{\{-?([\s\S]*?)-?\}\}|\{%-?([\s\S]*?)-?%\}|\{#[\s\S]*?#\}/g

const NAME = /^[A-Za-z_]\w*$/

/** Whether a text is filled in from variables. */
export function isTemplate(text: string): boolean {
  return text.search(PART) >= 0
}

/** The variables of a template in which every expression is just a name; undefined for any other template. */
export function simpleNames(text: string): string[] | undefined {
  const names: string[] = []
  for (const [, expression] of text.matchAll(PART)) {
    const name = expression?.trim() ?? ''
    if (!NAME.test(name)) return undefined
    names.push(name)
  }
  return names
}

/** A text after its variables were filled in, or the part that cannot be. */
export type Rendered = { readonly text: string; readonly missing: readonly string[] } | { readonly unsupported: string }

/** Fills in variables as Nunjucks does: names, paths into values, and a few filters. An absent value is an empty text. */
export function render(text: string, vars: Vars): Rendered {
  const missing: string[] = []
  let unsupported: string | undefined
  const filled = text.replace(PART, (part: string, expression?: string, statement?: string) => {
    if (expression === undefined) {
      if (statement !== undefined) unsupported ??= part
      return ''
    }
    const value = evaluate(expression, vars)
    if (!value) unsupported ??= part
    else if (value.value === undefined) missing.push(expression.trim())
    return value ? textOf(value.value) : ''
  })
  return unsupported === undefined ? { text: filled, missing } : { unsupported }
}

/** The variable that a text consists of, if that is all. */
export function soleName(text: string): string | undefined {
  const [, name] = /^\s*\{\{-?\s*([A-Za-z_]\w*)\s*-?\}\}\s*$/.exec(text) ?? []
  return name
}

const FILTERS: Readonly<Record<string, (value: unknown) => unknown>> = {
  dump: value => JSON.stringify(value),
  tojson: value => JSON.stringify(value),
  safe: value => value,
  string: value => textOf(value),
  trim: value => textOf(value).trim(),
  upper: value => textOf(value).toUpperCase(),
  lower: value => textOf(value).toLowerCase(),
  length: value => (Array.isArray(value) || typeof value === 'string' ? value.length : undefined),
}

/** The value of an expression, which may be undefined; undefined itself for an expression that is not supported. */
function evaluate(expression: string, vars: Vars): { readonly value: unknown } | undefined {
  const [path = '', ...filters] = expression.split('|').map(part => part.trim())
  if (!/^[A-Za-z_]\w*(?:\.\w+|\[\d+\]|\["[^"\]]*"\]|\['[^'\]]*'\])*$/.test(path)) return undefined
  if (filters.some(name => !Object.hasOwn(FILTERS, name))) return undefined
  const steps = path.match(/\w[^.[\]"']*/g) ?? []
  const found = steps.reduce<unknown>((value, step) => valueIn(value, step), vars)
  return { value: filters.reduce((value, name) => FILTERS[name]?.(value), found) }
}

function valueIn(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return value[Number(step)]
  return isMapping(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

/** A value in a text, as JavaScript writes it there; structured values as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
